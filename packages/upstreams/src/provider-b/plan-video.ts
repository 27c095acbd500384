import type { MediaLossReport, Review, VideoRequest } from '@sluice/canonical';
import { shapeOf } from '../media/frame-shape.ts';
import {
  dropFields,
  limitImages,
  promptBesideImages,
  refuseRemix,
  requireImages,
  secondsOf,
} from '../media/limit-params.ts';
import { VIDEO_IMAGES, videoFamily } from './models.ts';

/** Jimeng docs: "at most 800 characters". */
const MAX_PROMPT = 800;
const SHAPES = ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9'] as const;
/** Jimeng docs, `frames`: 24 × seconds + 1. */
const FRAMES_A_SECOND = 24;

/** What the vendor will be asked for. */
export interface VideoPlan extends Review {
  /** The body, but for the model and the pictures. */
  fields: Record<string, unknown>;
}

/** @throws {UnsupportedParamsError} */
export function planVideo(model: string, request: VideoRequest, report: MediaLossReport): VideoPlan {
  refuseRemix(request);
  const { needs, takes, seconds: choices, reportsFrames } = videoFamily(model);
  limitImages(request.images, takes, VIDEO_IMAGES);
  requireImages(request.images, needs);
  const prompt = promptBesideImages(request, MAX_PROMPT);
  dropFields(request, ['negativePrompt', 'fps', 'audio', 'watermark', 'promptExtend', 'resolution'], report);
  const seconds = choices ? String(secondsOf(request, choices, 5, report)) : request.seconds;
  const isReported = reportsFrames && request.seconds !== undefined;
  const shape = shapeFor(request, report);
  return {
    ...(seconds !== undefined && { seconds }),
    fields: {
      ...(prompt !== undefined && { prompt }),
      ...(isReported && { frames: Math.round(FRAMES_A_SECOND * Number(seconds)) + 1 }),
      ...(shape !== undefined && { aspect_ratio: shape }),
      ...(request.seed !== undefined && { seed: request.seed }),
    },
  };
}

/** Jimeng docs, `aspect_ratio`: for videos of text alone; others have their picture's shape. */
function shapeFor(request: VideoRequest, report: MediaLossReport): string | undefined {
  if (request.images.length === 0) return shapeOf(request, SHAPES, report);
  dropFields(request, ['aspectRatio', 'size'], report);
  return undefined;
}

import type { MediaLossReport, Review, VideoRequest } from '@sluice/canonical';
import { resolutionOf, shapeOf } from '../media/frame-shape.ts';
import {
  dropFields,
  promptBesideImages,
  refuseRemix,
  limitImages,
  secondsOf,
  fullSecondsOf,
} from '../media/limit-params.ts';
import { type Dialect, dialectOf } from './dialects.ts';
import { type ModelPath, modelPathOf } from './model-path.ts';

/** Most models have these; a size has to be said as one of them. */
const SHAPES = ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9'];
const RESOLUTIONS = ['480p', '720p', '1080p', '4k'];

/** What a model is asked for. */
export interface FalPlan extends Review {
  path: ModelPath;
  prompt?: string;
  /** What the wish has said, as fields of the input: under the model's names, or the commonest. */
  fields: Record<string, unknown>;
}

/**
 * Works out what a model is asked for. fal has no names that all its models share, so the commonest are taken where a
 * model is not known; a model leaves out what it does not know.
 * @throws {UnsupportedParamsError} for what no model can do
 * @throws GatewayError for a name that no model can have
 */
export function planFalVideo(model: string, request: VideoRequest, report: MediaLossReport): FalPlan {
  const path = modelPathOf(model);
  refuseRemix(request);
  limitImages(request.images, { first_frame: 1, last_frame: 1, reference: Infinity });
  dropFields(request, ['fps', 'watermark', 'promptExtend'], report);
  const prompt = promptBesideImages(request, Infinity);
  const dialect = dialectOf(model);
  const seconds = durationOf(dialect, request, report);
  const shape = dialect.shapes
    ? wordOf(request, 'aspectRatio', dialect.shapes, shapeOf, report)
    : (request.aspectRatio ?? shapeOf(request, SHAPES, report));
  const lines = dialect.resolutions
    ? wordOf(request, 'resolution', dialect.resolutions, resolutionOf, report)
    : (request.resolution ?? resolutionOf(request, RESOLUTIONS, report));
  const { negativePrompt, seed, audio } = request;
  return {
    path,
    ...(prompt !== undefined && { prompt }),
    ...(seconds !== undefined && { seconds: String(seconds) }),
    fields: {
      ...(negativePrompt !== undefined && { negative_prompt: negativePrompt }),
      ...(seconds !== undefined && { duration: dialect.duration(seconds) }),
      ...(shape !== undefined && { aspect_ratio: shape }),
      ...(lines !== undefined && { resolution: lines }),
      ...(seed !== undefined && { seed }),
      ...(audio !== undefined && { generate_audio: audio }),
    },
  };
}

function durationOf({ durations }: Dialect, request: VideoRequest, report: MediaLossReport): number | undefined {
  if (request.seconds === undefined || durations === undefined) return fullSecondsOf(request, report);
  if (durations.length > 0) return secondsOf(request, durations, 0, report);
  report({ field: 'seconds', how: 'dropped' });
  return undefined;
}

/** The nearest of the words that a model has for a field; of a model that has none the field is lost. */
function wordOf(
  request: VideoRequest,
  field: 'aspectRatio' | 'resolution',
  words: readonly string[],
  nearest: typeof shapeOf,
  report: MediaLossReport,
): string | undefined {
  if (words.length > 0) return nearest(request, words, report);
  dropFields(request, [field], report);
  return undefined;
}

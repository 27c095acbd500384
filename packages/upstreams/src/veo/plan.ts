import { type MediaLossReport, UnsupportedParamsError, type VideoRequest } from '@sluice/canonical';
import { refuseMixedImages } from '../media/content-items.ts';
import { linesOf, resolutionOf, shapeOf } from '../media/frame-shape.ts';
import {
  dropFields,
  limitImages,
  promptBesideImages,
  refuseRemix,
  secondsOf,
  fullSecondsOf,
} from '../media/limit-params.ts';

/** What the models of one family make. */
interface Family {
  /** Durations in seconds. */
  seconds: readonly number[];
  /** Absent: there is no field for it. */
  resolutions?: readonly string[];
  lastFrame: boolean;
  references: number;
  /** Whether the films have sound; none can be told otherwise. */
  audio: boolean;
}

const THIRD = { seconds: [4, 6, 8], resolutions: ['720p', '1080p'], lastFrame: true, references: 0, audio: true };

/** By the beginning of the name, the longer first (Gemini API docs, "Generate videos with Veo"). */
const FAMILIES: readonly (readonly [prefix: string, family: Family])[] = [
  ['veo-3.1-lite', THIRD],
  ['veo-3.1', { ...THIRD, resolutions: ['720p', '1080p', '4k'], references: 3 }],
  ['veo-3.0', { ...THIRD, lastFrame: false }],
  ['veo-2.0', { seconds: [5, 6, 8], lastFrame: true, references: 0, audio: false }],
];
const ANY_RESOLUTION = ['720p', '1080p', '4k'];
const SHAPES = ['16:9', '9:16'];
/** The usual duration, and the only one that some wishes can be had with. */
const LONGEST = 8;
/** Gemini API docs: 1024 tokens; Veo itself refuses what is more. */
const MAX_PROMPT_LENGTH = 10_000;

/** What Veo is asked for. */
export interface VeoPlan {
  prompt?: string;
  /** Seconds as text; absent where the model is not known and the client named none. */
  seconds?: string;
  /** Fields of `parameters`, by Veo's names. */
  parameters: { durationSeconds?: number; resolution?: string; aspectRatio?: string; negativePrompt?: string };
}

/** Works out what Veo is asked for; a model of unknown name is asked for what the client wished. @throws {UnsupportedParamsError} */
export function planVeo(model: string, request: VideoRequest, report: MediaLossReport): VeoPlan {
  const family = FAMILIES.find(([prefix]) => model.startsWith(prefix))?.[1];
  refuseRemix(request);
  checkImages(request, family);
  // @google/genai 1.40.0: "seed parameter is not supported in Gemini API", and so of `fps` and `generateAudio`.
  dropFields(request, ['seed', 'fps'], report);
  const { audio, watermark, promptExtend, negativePrompt } = request;
  if (family && audio !== undefined && audio !== family.audio) report({ field: 'audio', how: 'dropped' });
  if (watermark === true) report({ field: 'watermark', how: 'dropped' }); // the one that there is cannot be seen
  if (promptExtend === false) report({ field: 'promptExtend', how: 'dropped' });
  const prompt = promptBesideImages(request, MAX_PROMPT_LENGTH);
  const seconds = durationOf(request, family, report);
  const aspectRatio = shapeOf(request, SHAPES, report);
  const resolution = frameOf(request, family, seconds, report);
  return {
    ...(prompt !== undefined && { prompt }),
    ...(seconds !== undefined && { seconds: String(seconds) }),
    parameters: {
      ...(seconds !== undefined && { durationSeconds: seconds }),
      ...(resolution !== undefined && { resolution }),
      ...(aspectRatio !== undefined && { aspectRatio }),
      ...(negativePrompt !== undefined && { negativePrompt }),
    },
  };
}

function checkImages(request: VideoRequest, family: Family | undefined): void {
  const { images } = request;
  const { lastFrame = true, references = 3 } = family ?? {};
  limitImages(images, { first_frame: 1, last_frame: lastFrame ? 1 : 0, reference: references });
  refuseMixedImages(request);
  const has = (role: string): boolean => images.some((image) => image.role === role);
  if (has('last_frame') && !has('first_frame')) {
    throw new UnsupportedParamsError('lastFrame', 'is taken only with a first frame by this model');
  }
}

/** Gemini API docs: 8 seconds alone with references or a last frame. */
function durationOf(request: VideoRequest, family: Family | undefined, report: MediaLossReport): number | undefined {
  if (!family) return fullSecondsOf(request, report);
  const isBound = request.images.some(({ role }) => role !== 'first_frame');
  return secondsOf(request, isBound ? [LONGEST] : family.seconds, LONGEST, report);
}

/** Gemini API docs: 1080p and 4k alone with 8 seconds. A wished duration goes before a wished resolution. */
function frameOf(
  request: VideoRequest,
  family: Family | undefined,
  seconds: number | undefined,
  report: MediaLossReport,
): string | undefined {
  if (!family) return resolutionOf(request, ANY_RESOLUTION, report);
  if (!family.resolutions) {
    dropFields(request, ['resolution'], report);
    return undefined;
  }
  const words = family.resolutions.filter((word) => seconds === LONGEST || linesOf(word) === 720);
  return resolutionOf(request, words, report);
}

import { type MediaLossReport, UnsupportedParamsError, type VideoRequest } from '@sluice/canonical';
import { refuseMixedImages } from '../media/content-items.ts';
import { resolutionOf, shapeOf } from '../media/frame-shape.ts';
import {
  dropFields,
  limitImages,
  megabytes,
  type ImageLimits,
  promptBesideImages,
  promptOf,
  refuseRemix,
  secondsOf,
  fullSeconds,
  fullSecondsOf,
} from '../media/limit-params.ts';

/** What the models of one family make. */
interface Family {
  /** Durations in seconds, the usual one first. */
  seconds: readonly number[];
  resolutions(seconds: number): readonly string[];
  shapes: readonly string[];
  /** Whether `audio` is taken. */
  audio: boolean;
  /** How many references. */
  references: number;
  needsImage?: boolean;
}

/** Vidu docs, `images`: PNG, JPEG, WebP; a body up to 20 MB, of which base64 leaves 15. */
export const PICTURES: ImageLimits = {
  mediaTypes: ['image/png', 'image/jpeg', 'image/webp'],
  maxBytes: megabytes(15),
  maxTogether: megabytes(15),
};

const BROAD = ['16:9', '9:16', '1:1', '4:3', '3:4'];
const NARROW = ['16:9', '9:16', '1:1'];
const NEW = ['540p', '720p', '1080p'];
const OLD: Family = {
  seconds: [4, 8],
  resolutions: (seconds) => (seconds === 4 ? ['360p', '720p', '1080p'] : ['720p']),
  shapes: NARROW,
  audio: false,
  references: 3,
};

/** By the beginning of the name (Vidu docs, "Text to Video", "Image to Video", "Reference to Video"). */
const FAMILIES: readonly (readonly [prefix: string, family: Family])[] = [
  [
    'viduq3',
    { seconds: [5, ...fullSeconds(1, 16)], resolutions: () => NEW, shapes: BROAD, audio: true, references: 7 },
  ],
  [
    'viduq2',
    { seconds: [5, ...fullSeconds(1, 10)], resolutions: () => NEW, shapes: BROAD, audio: true, references: 7 },
  ],
  ['viduq1', { seconds: [5], resolutions: () => ['1080p'], shapes: NARROW, audio: false, references: 7 }],
  ['vidu2.0', { ...OLD, needsImage: true }],
  ['vidu1.5', OLD],
];
const ANY_RESOLUTION = ['360p', '540p', '720p', '1080p', '2k', '4k'];
/** Vidu docs: a maximum length of 5000 characters; of older models 2000, which Vidu itself refuses. */
const MAX_PROMPT_LENGTH = 5000;

/** What Vidu is asked for. */
export interface ViduPlan {
  /** Vidu has one for each way that pictures are used. */
  endpoint: '/text2video' | '/img2video' | '/start-end2video' | '/reference2video';
  prompt?: string;
  /** Seconds as text; absent where the model is not known and the client named none. */
  seconds?: string;
  /** Fields of the body, by Vidu's names. */
  options: {
    duration?: number;
    resolution?: string;
    aspect_ratio?: string;
    seed?: number;
    audio?: boolean;
    watermark?: boolean;
  };
}

/** Works out what Vidu is asked for; a model of unknown name is asked for what the client wished. @throws {UnsupportedParamsError} */
export function planVidu(model: string, request: VideoRequest, report: MediaLossReport): ViduPlan {
  const family = FAMILIES.find(([prefix]) => model.startsWith(prefix))?.[1];
  refuseRemix(request);
  const endpoint = endpointOf(request, family);
  // `is_rec` is no rewriting: it puts a prompt of Vidu's in place of the client's, for a fee.
  dropFields(request, ['negativePrompt', 'fps', 'promptExtend'], report);
  const isFramed = endpoint === '/img2video' || endpoint === '/start-end2video';
  const prompt = (isFramed ? promptBesideImages : promptOf)(request, MAX_PROMPT_LENGTH);
  const duration = family
    ? secondsOf(request, family.seconds, family.seconds[0] ?? 5, report)
    : fullSecondsOf(request, report);
  const resolution = resolutionOf(request, family?.resolutions(duration ?? 0) ?? ANY_RESOLUTION, report);
  const ratio = isFramed ? undefined : shapeOf(request, family?.shapes ?? BROAD, report);
  if (isFramed) {
    // The film has the shape of its first frame.
    if (request.size !== undefined) report({ field: 'size', how: 'replaced' });
    dropFields(request, ['aspectRatio'], report);
  }
  const { seed, audio, watermark } = request;
  const takesAudio = family?.audio ?? true;
  if (!takesAudio && audio === true) report({ field: 'audio', how: 'dropped' });
  return {
    endpoint,
    ...(prompt !== undefined && { prompt }),
    ...(duration !== undefined && { seconds: String(duration) }),
    options: {
      ...(duration !== undefined && { duration }),
      ...(resolution !== undefined && { resolution }),
      ...(ratio !== undefined && { aspect_ratio: ratio }),
      ...(seed !== undefined && { seed }),
      ...(takesAudio && audio !== undefined && { audio }),
      ...(watermark !== undefined && { watermark }),
    },
  };
}

function endpointOf(request: VideoRequest, family: Family | undefined): ViduPlan['endpoint'] {
  const { images } = request;
  limitImages(images, { first_frame: 1, last_frame: 1, reference: family?.references ?? 7 }, PICTURES);
  refuseMixedImages(request);
  const has = (role: string): boolean => images.some((image) => image.role === role);
  if (has('reference')) return '/reference2video';
  if (has('last_frame')) {
    if (has('first_frame')) return '/start-end2video';
    throw new UnsupportedParamsError('lastFrame', 'is taken only with a first frame by this model');
  }
  if (has('first_frame')) return '/img2video';
  if (family?.needsImage === true) throw new UnsupportedParamsError('firstFrame', 'is required by this model');
  return '/text2video';
}

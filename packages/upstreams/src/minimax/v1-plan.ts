import { type ImageRole, type MediaLossReport, UnsupportedParamsError, type VideoRequest } from '@sluice/canonical';
import { resolutionOf } from '../media/frame-shape.ts';
import {
  dropFields,
  limitImages,
  promptBesideImages,
  refuseRemix,
  secondsOf,
  fullSecondsOf,
} from '../media/limit-params.ts';
import { IMAGES_V1 } from './images.ts';

/** What the models of one family make (MiniMax docs, "Text to Video", "Image to Video", "Start / End to Video"). */
interface Family {
  /** Durations in seconds by resolution, the usual resolution first. */
  makes: Readonly<Record<string, readonly number[]>>;
  images: Partial<Record<ImageRole, number>>;
  needs?: 'first_frame' | 'reference';
}

const HAILUO = { '768P': [6, 10], '1080P': [6] };
const OLD = { '720P': [6] };

/** By the beginning of the name, the longer first. */
const FAMILIES: readonly (readonly [prefix: string, family: Family])[] = [
  ['MiniMax-Hailuo-2.3-Fast', { makes: HAILUO, images: { first_frame: 1 }, needs: 'first_frame' }],
  ['MiniMax-Hailuo-2.3', { makes: HAILUO, images: { first_frame: 1 } }],
  ['MiniMax-Hailuo-02', { makes: { ...HAILUO, '512P': [6, 10] }, images: { first_frame: 1, last_frame: 1 } }],
  ['T2V-01', { makes: OLD, images: {} }],
  ['I2V-01', { makes: OLD, images: { first_frame: 1 }, needs: 'first_frame' }],
  ['S2V-01', { makes: OLD, images: { reference: 1 }, needs: 'reference' }],
];
const ANY_IMAGES = { first_frame: 1, last_frame: 1, reference: 1 };
const ANY_RESOLUTION = ['512P', '720P', '768P', '1080P'];
const USUAL_SECONDS = 6;
/** MiniMax docs: `prompt`, up to 2000 characters. */
const MAX_PROMPT_LENGTH = 2000;

/** What v1 is asked for. */
export interface PlanV1 {
  version: 1;
  prompt?: string;
  /** Seconds as text. */
  seconds?: string;
  /** The roles of the pictures, in their order. */
  roles: ImageRole[];
  /** Fields of the body, by MiniMax's names. */
  options: { duration?: number; resolution?: string; prompt_optimizer?: boolean; aigc_watermark?: boolean };
}

/** Works out what v1 is asked for. @throws {UnsupportedParamsError} */
export function planV1(model: string, request: VideoRequest, report: MediaLossReport): PlanV1 {
  const family = FAMILIES.find(([prefix]) => model.startsWith(prefix))?.[1];
  refuseRemix(request);
  const roles = rolesOf(request, family, report);
  dropFields(request, ['negativePrompt', 'fps', 'seed'], report);
  if (request.audio === true) report({ field: 'audio', how: 'dropped' }); // silent films alone
  const prompt = promptBesideImages(request, MAX_PROMPT_LENGTH);
  const { duration, resolution } = frames(request, roles, family, report);
  const { promptExtend, watermark } = request;
  return {
    version: 1,
    ...(prompt !== undefined && { prompt }),
    ...(duration !== undefined && { seconds: String(duration) }),
    roles,
    options: {
      ...(duration !== undefined && { duration }),
      ...(resolution !== undefined && { resolution }),
      ...(promptExtend !== undefined && { prompt_optimizer: promptExtend }),
      ...(watermark !== undefined && { aigc_watermark: watermark }),
    },
  };
}

function rolesOf({ images }: VideoRequest, family: Family | undefined, report: MediaLossReport): ImageRole[] {
  let roles = images.map(({ role }) => role);
  if (family?.needs === 'reference' && roles.length === 1 && roles[0] === 'first_frame') {
    report({ field: 'firstFrame', how: 'replaced' });
    roles = ['reference'];
  }
  limitImages(
    images.map((image, at) => ({ ...image, role: roles[at] ?? image.role })),
    family?.images ?? ANY_IMAGES,
    IMAGES_V1,
  );
  if (family?.needs !== undefined && !roles.includes(family.needs)) {
    const field = family.needs === 'reference' ? 'reference' : 'firstFrame';
    throw new UnsupportedParamsError(field, 'is required by this model');
  }
  return roles;
}

/** The wanted duration goes before the wanted resolution, since only the latter has a likeness at every length. */
function frames(request: VideoRequest, roles: ImageRole[], family: Family | undefined, report: MediaLossReport) {
  // There is no field for the shape: it is that of the first frame, else 16:9.
  if (request.size !== undefined) report({ field: 'size', how: 'replaced' });
  if (request.aspectRatio !== undefined && (request.aspectRatio !== '16:9' || roles.length > 0)) {
    report({ field: 'aspectRatio', how: 'dropped' });
  }
  if (!family) {
    return { duration: fullSecondsOf(request, report), resolution: resolutionOf(request, ANY_RESOLUTION, report) };
  }
  const durations = [...new Set(Object.values(family.makes).flat())];
  const duration = secondsOf(request, durations, USUAL_SECONDS, report);
  const words = Object.entries(family.makes)
    .filter(([word, makes]) => makes.includes(duration) && (word !== '512P' || isFirstFrameAlone(roles)))
    .map(([word]) => word);
  return { duration, resolution: resolutionOf(request, words, report) };
}

/** MiniMax docs: 512P is made from a first frame, and not from two. */
function isFirstFrameAlone(roles: ImageRole[]): boolean {
  return roles.length === 1 && roles[0] === 'first_frame';
}

import {
  type ImageRequest,
  type ImageRole,
  type MediaField,
  type MediaLossReport,
  type MediaRequest,
  UnsupportedParamsError,
  type VideoRequest,
} from '@sluice/canonical';
import type { ImageModel, MediaModel, OptionalField, VideoModel } from '@sluice/vendors';
import { refuseMixedImages } from './content-items.ts';
import { aspectRatioOf, resolutionOf } from './aspect-ratio.ts';
import {
  countOf,
  dropFields,
  fullSecondsOf,
  limitImages,
  limitText,
  promptBesideImages,
  promptOf,
  refuseRemix,
  requireImages,
  secondsOf,
} from './limit-params.ts';
import { frameAmong } from './nearest-frame.ts';

type Fields = Pick<VideoRequest & ImageRequest, OptionalField>;

interface PlannedMedia {
  prompt: string | undefined;
  fields: Partial<Fields>;
}

export interface PlannedVideo extends PlannedMedia {
  model: VideoModel;
  seconds: string | undefined;
  duration: number | undefined;
}

export interface PlannedImage extends PlannedMedia {
  n: number | undefined;
}

export interface PlannedFrame {
  /** Frame in pixels. Set for models with a fixed list of frames. */
  frame?: string;
  aspectRatio?: string;
  resolution?: string;
}

const OPTIONAL: readonly OptionalField[] = [
  'negativePrompt',
  'fps',
  'seed',
  'quality',
  'background',
  'outputFormat',
  'audio',
  'watermark',
  'promptExtend',
];
const ANY_ASPECT_RATIO = ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9'];
const ANY_RESOLUTION = ['480p', '720p', '1080p', '4k'];

/** @throws {UnsupportedParamsError} for unsupported fields whose omission would change the meaning */
export function planVideo(known: VideoModel, request: VideoRequest, report: MediaLossReport): PlannedVideo {
  refuseRemix(request);
  checkVideoImages(known, request);
  const model = { ...known };
  for (const [role, changes] of Object.entries(known.when ?? {}))
    if (hasImage(request, role)) Object.assign(model, changes);
  const planned = planMedia(model, request, report, model.fixed);
  const seconds = secondsFor(model, request, report);
  return { ...planned, model, seconds, duration: seconds === undefined ? undefined : Number(seconds) };
}

/** @throws {UnsupportedParamsError} for unsupported fields whose omission would change the meaning */
export function planImage(model: ImageModel, request: ImageRequest, report: MediaLossReport): PlannedImage {
  limitImages(request.images, model.images, model.imageFiles);
  requireImages(request.images, model.needs ?? []);
  const planned = planMedia(model, request, report);
  const n = countOf(request, model.max ?? Infinity, report);
  return { ...planned, n: request.n === undefined ? undefined : n };
}

export function planFrame(
  { model, duration }: PlannedVideo,
  request: VideoRequest,
  report: MediaLossReport,
): PlannedFrame {
  if (model.frames) return { frame: frameAmong(request, model.frames, report) };
  return {
    aspectRatio: aspectRatioFor(model, request, report),
    resolution: resolutionFor(model, request, duration, report),
  };
}

export function hasFrame({ images }: MediaRequest): boolean {
  return images.some(({ role }) => role === 'first_frame' || role === 'last_frame');
}

export function hasImage({ images }: MediaRequest, role: string): boolean {
  return images.some((image) => image.role === role);
}

/** Omits undefined fields, because vendor options cannot override fields that the plan contains. */
export function defined<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}

function checkVideoImages(model: VideoModel, request: VideoRequest): void {
  const { images } = request;
  const needs: readonly ImageRole[] = model.needsImage && images.length === 0 ? ['first_frame'] : (model.needs ?? []);
  limitImages(images, model.images, model.imageFiles);
  requireImages(images, needs);
  if (!model.allowsMixedImages) refuseMixedImages(request);
  if (!model.allowsLastFrameAlone && hasImage(request, 'last_frame') && !hasImage(request, 'first_frame')) {
    throw new UnsupportedParamsError('lastFrame', 'requires a first frame for this model');
  }
}

function planMedia(
  model: MediaModel,
  request: MediaRequest,
  report: MediaLossReport,
  fixed: VideoModel['fixed'] = {},
): PlannedMedia {
  const prompt = promptFor(model, request);
  const { optionalFields, maxNegativePrompt = Infinity } = model;
  if (optionalFields.includes('negativePrompt')) limitText('negativePrompt', request.negativePrompt, maxNegativePrompt);
  const isFixed = (field: MediaField) =>
    Object.hasOwn(fixed, field) && Reflect.get(fixed, field) === Reflect.get(request, field);
  const optional = Object.keys(request).flatMap((key) => OPTIONAL.find((field) => field === key) ?? []);
  const lost = optional.filter((field) => !optionalFields.includes(field) && !isFixed(field));
  dropFields(request, lost, report);
  const fields = Object.fromEntries(optionalFields.map((field) => [field, Reflect.get(request, field)]));
  return { prompt, fields: defined(fields) };
}

function promptFor({ optionalPrompt, maxPrompt = Infinity }: MediaModel, request: MediaRequest): string | undefined {
  if (optionalPrompt === 'always') {
    limitText('prompt', request.prompt, maxPrompt);
    return request.prompt;
  }
  const isOptional = optionalPrompt === 'image' || (optionalPrompt === 'frame' && hasFrame(request));
  return isOptional ? promptBesideImages(request, maxPrompt) : promptOf(request, maxPrompt);
}

function secondsFor({ seconds, defaultSeconds }: VideoModel, request: VideoRequest, report: MediaLossReport) {
  if (seconds === 'any') return request.seconds;
  if (seconds?.length === 0) {
    dropFields(request, ['seconds'], report);
    return undefined;
  }
  if (request.seconds === undefined) return defaultSeconds?.toString();
  return String(seconds ? secondsOf(request, seconds, defaultSeconds ?? 0, report) : fullSecondsOf(request, report));
}

function aspectRatioFor(model: VideoModel, request: VideoRequest, report: MediaLossReport): string | undefined {
  const { aspectRatios } = model;
  if (model.imageSetsAspectRatio && hasFrame(request)) {
    const how = hasResolutions(model) ? 'replaced' : 'dropped';
    dropFields(request, ['aspectRatio'], report);
    if (request.size !== undefined) report({ field: 'size', how });
    return undefined;
  }
  if (!aspectRatios) return request.aspectRatio ?? aspectRatioOf(request, ANY_ASPECT_RATIO, report);
  if (aspectRatios.length > 0) return aspectRatioOf(request, aspectRatios, report);
  dropFields(request, ['aspectRatio'], report);
  return undefined;
}

/** The requested duration takes precedence over the resolution, because each duration has at least one resolution. */
function resolutionFor(
  model: VideoModel,
  request: VideoRequest,
  duration: number | undefined,
  report: MediaLossReport,
) {
  const { resolutions } = model;
  if (!resolutions) return request.resolution ?? resolutionOf(request, ANY_RESOLUTION, report);
  if (hasResolutions(model)) return resolutionOf(request, resolutionsAt(resolutions, duration), report);
  dropFields(request, ['resolution'], report);
  return undefined;
}

function hasResolutions({ resolutions }: VideoModel): boolean {
  return !Array.isArray(resolutions) || resolutions.length > 0;
}

function resolutionsAt(resolutions: NonNullable<VideoModel['resolutions']>, duration: number | undefined): string[] {
  if (Array.isArray(resolutions)) return resolutions;
  return Object.entries<readonly number[]>(resolutions as Readonly<Record<string, readonly number[]>>)
    .filter(([, seconds]) => duration === undefined || seconds.includes(duration))
    .map(([resolution]) => resolution);
}

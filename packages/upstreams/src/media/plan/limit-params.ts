import {
  fieldOfRole,
  type ImageRole,
  type InputImage,
  type MediaField,
  type MediaLossReport,
  type MediaRequest,
  UnsupportedParamsError,
  type VideoRequest,
} from '@sluice/canonical';
import type { ImageLimits } from '@sluice/vendors';

/**
 * The duration: the requested one if supported, else the nearest (the longer of two, reported as clamped); without a
 * request the model's default.
 * @param choices all supported durations, in seconds
 */
export function secondsOf(
  request: { seconds?: string },
  choices: readonly number[],
  defaultSeconds: number,
  report: MediaLossReport,
): number {
  if (request.seconds === undefined) return defaultSeconds;
  const requested = Number(request.seconds);
  if (choices.includes(requested)) return requested;
  report({ field: 'seconds', how: 'clamped' });
  const distance = (choice: number): number => Math.abs(choice - requested);
  return choices.toSorted((one, other) => distance(one) - distance(other) || other - one)[0] ?? defaultSeconds;
}

/** The duration for an unknown model: the requested one in full seconds. @returns undefined without a request */
export function fullSecondsOf(request: { seconds?: string }, report: MediaLossReport): number | undefined {
  if (request.seconds === undefined) return undefined;
  const requested = Number(request.seconds);
  const whole = Math.max(1, Math.round(requested));
  if (whole !== requested) report({ field: 'seconds', how: 'clamped' });
  return whole;
}

export function dropFields(request: MediaRequest, fields: readonly MediaField[], report: MediaLossReport): void {
  for (const field of fields) {
    if (Reflect.get(request, field) !== undefined) report({ field, how: 'dropped' });
  }
}

const MEGABYTE = 1024 * 1024;

/**
 * Checks images of known size against the vendor's limits. A type that is no image type decides nothing, because inline
 * images carry the client's declaration, which may be missing.
 * @throws {UnsupportedParamsError}
 */
export function limitImageFiles(
  files: readonly { role: ImageRole; mediaType: string; bytes: number }[],
  { mediaTypes, maxBytes = Infinity, maxTogether = Infinity }: ImageLimits,
): void {
  let together = 0;
  for (const { role, mediaType, bytes } of files) {
    const type = mediaType.toLowerCase().replace(/^image\/jpg$/, 'image/jpeg');
    if (mediaTypes && type.startsWith('image/') && !mediaTypes.includes(type)) {
      const names = mediaTypes.map((name) => name.replace('image/', '').toUpperCase()).join(', ');
      throw new UnsupportedParamsError(fieldOfRole(role), `must be one of ${names} for this model`);
    }
    if (bytes > maxBytes) {
      throw new UnsupportedParamsError(fieldOfRole(role), `must be at most ${inMegabytes(maxBytes)} for this model`);
    }
    together += bytes;
    if (together > maxTogether) {
      const what = `makes the images larger than ${inMegabytes(maxTogether)} together`;
      throw new UnsupportedParamsError(fieldOfRole(role), what);
    }
  }
}

function inMegabytes(bytes: number): string {
  return `${Math.round((10 * bytes) / MEGABYTE) / 10} MB`;
}

/**
 * Checks the images of a request against the model.
 * @param max how many of each role; other roles are refused
 * @param limits of their files. Files at URLs are still unknown, so {@link limitImageFiles} checks the opened images
 *   against the same limits before they are sent
 * @throws {UnsupportedParamsError}
 */
export function limitImages(
  images: readonly InputImage[],
  max: Partial<Record<ImageRole, number>>,
  limits: ImageLimits = {},
): void {
  for (const [role, ofRole] of Map.groupBy(images, (image) => image.role)) {
    const allowed = max[role] ?? 0;
    if (ofRole.length <= allowed) continue;
    const what =
      allowed === 0 ? 'is not supported by this model' : `must appear at most ${allowed} times for this model`;
    throw new UnsupportedParamsError(fieldOfRole(role), what);
  }
  const stored = images.flatMap(({ role, source }) => (source.kind === 'stored' ? [{ ...source, role }] : []));
  limitImageFiles(stored, limits);
}

/** @throws {UnsupportedParamsError} if an image is missing that the model starts from */
export function requireImages(images: readonly InputImage[], roles: readonly ImageRole[]): void {
  for (const requested of roles) {
    if (!images.some(({ role }) => role === requested)) {
      throw new UnsupportedParamsError(fieldOfRole(requested), 'is required by this model');
    }
  }
}

export function promptOf(request: MediaRequest, maxCharacters: number): string {
  const { prompt } = request;
  if (prompt === undefined || prompt.trim() === '') {
    throw new UnsupportedParamsError('prompt', 'is required by this model');
  }
  limitText('prompt', prompt, maxCharacters);
  return prompt;
}

export function limitText(field: MediaField, text: string | undefined, maxCharacters: number): void {
  if (text !== undefined && text.length > maxCharacters) {
    throw new UnsupportedParamsError(field, `must be at most ${maxCharacters} characters for this model`);
  }
}

/**
 * The prompt of models that also work with images alone.
 * @throws {UnsupportedParamsError} if both are missing, or if it is too long
 */
export function promptBesideImages(request: MediaRequest, maxCharacters: number): string | undefined {
  const isMissing = request.prompt === undefined || request.prompt.trim() === '';
  return isMissing && request.images.length > 0 ? undefined : promptOf(request, maxCharacters);
}

export function refuseRemix(request: VideoRequest): void {
  if (request.remix !== undefined) {
    throw new UnsupportedParamsError('remix', 'is not supported by this model: describe the complete video instead');
  }
}

/** The number of images: as requested, at most as many as one call makes, reported as clamped. */
export function countOf(request: { n?: number }, max: number, report: MediaLossReport): number {
  const requested = request.n ?? 1;
  if (requested > max) report({ field: 'n', how: 'clamped' });
  return Math.min(requested, max);
}

/** The images; a single first frame becomes a reference if the model takes only references. */
export function referenceAlone(images: InputImage[], refers: boolean, report: MediaLossReport): InputImage[] {
  const [first] = images;
  if (!refers || first?.role !== 'first_frame' || images.length > 1) return images;
  report({ field: 'firstFrame', how: 'replaced' });
  return [{ ...first, role: 'reference' }];
}

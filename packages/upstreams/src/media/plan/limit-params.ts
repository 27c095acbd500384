import {
  fieldOfRole,
  type ImageRole,
  type InputImage,
  type MediaField,
  type MediaLossReport,
  type MediaRequest,
  UnsupportedParamsError,
  type VideoRequest,
  orList,
} from '@sluice/canonical';
import type { ImageLimits } from '@sluice/vendors';

/**
 * Returns the requested duration if it is supported, otherwise the nearest one (reported as clamped). If two are
 * equally near, the longer one is used. Without a requested duration, returns the model's default.
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

/** Returns the duration for an unknown model, rounded to full seconds; undefined if the client requested none. */
export function fullSecondsOf(request: { seconds?: string }, report: MediaLossReport): number | undefined {
  if (request.seconds === undefined) return undefined;
  const requested = Number(request.seconds);
  const fullSeconds = Math.max(1, Math.round(requested));
  if (fullSeconds !== requested) report({ field: 'seconds', how: 'clamped' });
  return fullSeconds;
}

export function dropFields(request: MediaRequest, fields: readonly MediaField[], report: MediaLossReport): void {
  for (const field of fields) {
    if (Reflect.get(request, field) !== undefined) report({ field, how: 'dropped' });
  }
}

const MEGABYTE = 1024 * 1024;

/**
 * Checks images of known size against the vendor's limits. If a type does not start with `image/`, it is not checked,
 * because clients may omit the type of inline images.
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
      const names = mediaTypes.map((name) => name.replace('image/', '').toUpperCase());
      throw new UnsupportedParamsError(fieldOfRole(role), `must be ${orList(names)} for this model`);
    }
    if (bytes > maxBytes) {
      throw new UnsupportedParamsError(fieldOfRole(role), `must be at most ${inMegabytes(maxBytes)} for this model`);
    }
    together += bytes;
    if (together > maxTogether) {
      const what = `makes the images larger than ${inMegabytes(maxTogether)} in total`;
      throw new UnsupportedParamsError(fieldOfRole(role), what);
    }
  }
}

function inMegabytes(bytes: number): string {
  return `${Math.round((10 * bytes) / MEGABYTE) / 10} MB`;
}

/**
 * Checks a request's images against the model.
 * @param max maximum number of images per role; absent roles are rejected
 * @param limits file limits; the files at URLs are not known yet, so {@link limitImageFiles} checks them after they are
 * opened and before they are sent
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

/** @throws {UnsupportedParamsError} if a required image is missing */
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
 * Returns the prompt for models that also accept images without a prompt.
 * @throws {UnsupportedParamsError} if both are missing or the prompt is too long
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

/** Returns the requested number of images, but at most the maximum per call (reported as clamped). */
export function countOf(request: { n?: number }, max: number, report: MediaLossReport): number {
  const requested = request.n ?? 1;
  if (requested > max) report({ field: 'n', how: 'clamped' });
  return Math.min(requested, max);
}

/** Returns the images. If the model requires references, a first frame that is the only image becomes a reference. */
export function asReferenceIfRequired(
  images: InputImage[],
  needsReference: boolean,
  report: MediaLossReport,
): InputImage[] {
  const [first] = images;
  if (!needsReference || first?.role !== 'first_frame' || images.length > 1) return images;
  report({ field: 'firstFrame', how: 'replaced' });
  return [{ ...first, role: 'reference' }];
}

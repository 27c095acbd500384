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
 * The duration that will be made: the wanted one where the model makes it, else the nearest that it makes, the longer
 * of two, reported as clamped; the model's usual one where nothing was wanted.
 * @param choices every duration that the model makes, seconds
 */
export function secondsOf(
  request: { seconds?: string },
  choices: readonly number[],
  usual: number,
  report: MediaLossReport,
): number {
  if (request.seconds === undefined) return usual;
  const wanted = Number(request.seconds);
  if (choices.includes(wanted)) return wanted;
  report({ field: 'seconds', how: 'clamped' });
  const distance = (choice: number): number => Math.abs(choice - wanted);
  return choices.toSorted((one, other) => distance(one) - distance(other) || other - one)[0] ?? usual;
}

/**
 * The duration for a model that nothing is known of: the wanted one, in whole seconds.
 * @returns nothing where nothing was wanted
 */
export function fullSecondsOf(request: { seconds?: string }, report: MediaLossReport): number | undefined {
  if (request.seconds === undefined) return undefined;
  const wanted = Number(request.seconds);
  const whole = Math.max(1, Math.round(wanted));
  if (whole !== wanted) report({ field: 'seconds', how: 'clamped' });
  return whole;
}

/** Reports those of the fields that the wish has, as dropped. */
export function dropFields(request: MediaRequest, fields: readonly MediaField[], report: MediaLossReport): void {
  for (const field of fields) {
    if (Reflect.get(request, field) !== undefined) report({ field, how: 'dropped' });
  }
}

const MEGABYTE = 1024 * 1024;

/**
 * Holds pictures whose bytes are known against what the vendor takes. A type that is told as no picture's decides
 * nothing: of an inline picture it is the client's word, and may be missing.
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
      throw new UnsupportedParamsError(fieldOfRole(role), `may have at most ${inMegabytes(maxBytes)} for this model`);
    }
    together += bytes;
    if (together > maxTogether) {
      const what = `makes the pictures larger than ${inMegabytes(maxTogether)} together`;
      throw new UnsupportedParamsError(fieldOfRole(role), what);
    }
  }
}

function inMegabytes(bytes: number): string {
  return `${Math.round((10 * bytes) / MEGABYTE) / 10} MB`;
}

/**
 * Holds the pictures of a wish against what the model takes.
 * @param max how many of each role; a role that is not named takes none
 * @param limits what their files may be; those of URLs are not known yet, so {@link limitImageFiles} has to hold the
 *   opened pictures against the same limits before they are sent
 * @throws {UnsupportedParamsError}
 */
export function limitImages(
  images: readonly InputImage[],
  max: Partial<Record<ImageRole, number>>,
  limits: ImageLimits = {},
): void {
  for (const [role, given] of Map.groupBy(images, (image) => image.role)) {
    const allowed = max[role] ?? 0;
    if (given.length <= allowed) continue;
    const what = allowed === 0 ? 'is not taken by this model' : `may be given at most ${allowed} times for this model`;
    throw new UnsupportedParamsError(fieldOfRole(role), what);
  }
  const stored = images.flatMap(({ role, source }) => (source.kind === 'stored' ? [{ ...source, role }] : []));
  limitImageFiles(stored, limits);
}

/** @throws {UnsupportedParamsError} when a picture is missing that the model starts from */
export function requireImages(images: readonly InputImage[], roles: readonly ImageRole[]): void {
  for (const wanted of roles) {
    if (!images.some(({ role }) => role === wanted)) {
      throw new UnsupportedParamsError(fieldOfRole(wanted), 'is required by this model');
    }
  }
}

/** The prompt. @throws {UnsupportedParamsError} when it is missing, or longer than the model takes */
export function promptOf(request: MediaRequest, maxCharacters: number): string {
  const { prompt } = request;
  if (prompt === undefined || prompt.trim() === '') {
    throw new UnsupportedParamsError('prompt', 'is required by this model');
  }
  limitText('prompt', prompt, maxCharacters);
  return prompt;
}

/** @throws {UnsupportedParamsError} when a text is longer than the model takes */
export function limitText(field: MediaField, text: string | undefined, maxCharacters: number): void {
  if (text !== undefined && text.length > maxCharacters) {
    throw new UnsupportedParamsError(field, `may have at most ${maxCharacters} characters for this model`);
  }
}

/**
 * The prompt of models that can also do with pictures alone.
 * @throws {UnsupportedParamsError} when there is neither, or when it is longer than the model takes
 */
export function promptBesideImages(request: MediaRequest, maxCharacters: number): string | undefined {
  const isMissing = request.prompt === undefined || request.prompt.trim() === '';
  return isMissing && request.images.length > 0 ? undefined : promptOf(request, maxCharacters);
}

/** @throws {UnsupportedParamsError} when a variation of another video is wished */
export function refuseRemix(request: VideoRequest): void {
  if (request.remix !== undefined) {
    throw new UnsupportedParamsError('remix', 'is not offered by this model: describe the video anew');
  }
}

/** How many images will be made: as many as wished, at most as many as one call makes, reported as clamped. */
export function countOf(request: { n?: number }, max: number, report: MediaLossReport): number {
  const wanted = request.n ?? 1;
  if (wanted > max) report({ field: 'n', how: 'clamped' });
  return Math.min(wanted, max);
}

/** The images, a single first frame taken for a reference if the model takes references alone. */
export function referenceAlone(images: InputImage[], refers: boolean, report: MediaLossReport): InputImage[] {
  const [first] = images;
  if (!refers || first?.role !== 'first_frame' || images.length > 1) return images;
  report({ field: 'firstFrame', how: 'replaced' });
  return [{ ...first, role: 'reference' }];
}

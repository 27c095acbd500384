import { isCallbackName } from '@sluice/canonical';

/** Names by which vendors are told how many files to make: a wish has a field for it, and a quota that counts them. */
const COUNTS = [
  'n',
  'num_images',
  'num_image',
  'num_videos',
  'num_outputs',
  'num_samples',
  'num_results',
  'num_generations',
  'num_images_per_prompt',
  'num_videos_per_prompt',
  'number_results',
  'number_of_images',
  'number_of_videos',
  'number_of_outputs',
  'max_images',
  'max_videos',
  'n_images',
  'n_videos',
  'image_count',
  'images_count',
  'image_num',
  'video_count',
  'videos_count',
  'sample_count',
  'output_count',
  'candidate_count',
  'batch_size',
  'batch_count',
  'n_iter',
].map(plain);

/**
 * The vendor options of a wish: its metadata without callbacks, without numbers of files, and without what the request
 * itself decides. A body that has them spread first can never be changed by them in what matters.
 * @param decided names that the wire sets itself or that no client may set, in any case, with `_` and `-` or without
 */
export function vendorOptions(
  metadata: Record<string, unknown> | undefined,
  decided: readonly string[],
): Record<string, unknown> {
  const taken = new Set([...COUNTS, ...decided.map(plain)]);
  return Object.fromEntries(
    Object.entries(metadata ?? {}).filter(([name]) => !taken.has(plain(name)) && !isCallbackName(plain(name))),
  );
}

/** Tells whether one of these names stands among the options, however it is written. */
export function reportsOneOf(options: Record<string, unknown>, names: readonly string[]): boolean {
  const sought = new Set(names.map(plain));
  return Object.keys(options).some((name) => sought.has(plain(name)));
}

/** A name however it is written: vendors read `sampleCount` and `sample_count` alike. */
function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]/g, '');
}

/** The options that stand as an object under this name, for bodies that nest them; empty where there is no such object. */
export function nestedOptions(options: Record<string, unknown> | undefined, name: string): Record<string, unknown> {
  const nested = options?.[name];
  return typeof nested === 'object' && nested !== null && !Array.isArray(nested) ? { ...nested } : {};
}

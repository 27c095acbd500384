import { isCallbackName } from '@sluice/canonical';

/** Vendors' names for the number of files. Clients must use the request's standard field, because quotas count it. */
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
].map(normalized);

/**
 * Returns a request's vendor options, i.e. its metadata without callbacks, file counts, and decided fields. Spread them
 * first, so that the body's own fields override them.
 * @param decided fields that the wire sets or that clients must not set, in any letter case, with or without `_` and
 * `-`
 */
export function vendorOptions(
  metadata: Record<string, unknown> | undefined,
  decided: readonly string[],
): Record<string, unknown> {
  const excluded = new Set([...COUNTS, ...decided.map(normalized)]);
  return Object.fromEntries(
    Object.entries(metadata ?? {}).filter(
      ([name]) => !excluded.has(normalized(name)) && !isCallbackName(normalized(name)),
    ),
  );
}

export function reportsOneOf(options: Record<string, unknown>, names: readonly string[]): boolean {
  const expected = new Set(names.map(normalized));
  return Object.keys(options).some((name) => expected.has(normalized(name)));
}

/** Normalizes a field name, because vendors treat names such as `sampleCount` and `sample_count` alike. */
function normalized(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]/g, '');
}

export function nestedOptions(options: Record<string, unknown> | undefined, name: string): Record<string, unknown> {
  const nested = options?.[name];
  return typeof nested === 'object' && nested !== null && !Array.isArray(nested) ? { ...nested } : {};
}

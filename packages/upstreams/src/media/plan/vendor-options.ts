import { isCallbackName } from '@sluice/canonical';

/** Field names for the number of files. The request has its own field, which quotas count. */
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
 * The vendor options of a request: its metadata without callbacks, file counts, and planned fields. A body that spreads
 * them first keeps its own fields.
 * @param decided fields that the wire sets or that no client may set, in any case, with or without `_` and `-`
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

export function reportsOneOf(options: Record<string, unknown>, names: readonly string[]): boolean {
  const sought = new Set(names.map(plain));
  return Object.keys(options).some((name) => sought.has(plain(name)));
}

/** Normalizes a name: vendors read `sampleCount` and `sample_count` alike. */
function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]/g, '');
}

export function nestedOptions(options: Record<string, unknown> | undefined, name: string): Record<string, unknown> {
  const nested = options?.[name];
  return typeof nested === 'object' && nested !== null && !Array.isArray(nested) ? { ...nested } : {};
}

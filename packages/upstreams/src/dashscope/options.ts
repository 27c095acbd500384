import { nestedOptions, vendorOptions } from '../media/vendor-options.ts';

/** Vendor options as the body takes them. */
export interface BodyOptions {
  input: Record<string, unknown>;
  parameters: Record<string, unknown>;
}

/**
 * Sorts vendor options into the two parts of the body: what stands in `input` or `parameters` goes there, other options
 * are parameters, but for those that the vendor has in its input.
 * @param decided what cannot be said, in whichever part it stands
 * @param inputs names that belong into `input`
 */
export function bodyOptions(
  metadata: Record<string, unknown> | undefined,
  decided: readonly string[],
  inputs: readonly string[],
): BodyOptions {
  const loose = Object.entries(vendorOptions(metadata, [...decided, 'input', 'parameters']));
  const isInput = ([name]: [string, unknown]): boolean => inputs.includes(name);
  const part = (name: string) => vendorOptions(nestedOptions(metadata, name), decided);
  return {
    input: { ...Object.fromEntries(loose.filter(isInput)), ...part('input') },
    parameters: { ...Object.fromEntries(loose.filter((entry) => !isInput(entry))), ...part('parameters') },
  };
}

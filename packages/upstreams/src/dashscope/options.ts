import { nestedOptions, vendorOptions } from '../media/plan/vendor-options.ts';

export interface BodyOptions {
  input: Record<string, unknown>;
  parameters: Record<string, unknown>;
}

/**
 * Splits vendor options into `input` and `parameters`. Options outside both become `parameters`, except the options
 * listed in `inputs`.
 * @param decided fields that options cannot set in either part
 * @param inputs fields that belong in `input`
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

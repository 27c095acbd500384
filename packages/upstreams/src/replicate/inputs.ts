import type { OpenedImage, Review } from '@sluice/canonical';
import type { ImageInputs, InputNames, InputValues } from '@sluice/vendors';
import { imageDataUrl } from '../media/plan/image-bytes.ts';
import { nestedOptions, vendorOptions } from '../media/plan/vendor-options.ts';
import type { ModelCall } from './model-call.ts';

export function commonNames(values: InputValues): readonly string[] {
  return isList(values) ? values : Object.keys(values);
}

export function format(values: InputValues, value: string): string {
  return isList(values) ? value : (values[value] ?? value);
}

function isList(values: InputValues): values is readonly string[] {
  return Array.isArray(values);
}

export function renamed(fields: object, names: InputNames): Record<string, unknown> {
  const byName = new Map(Object.entries(names));
  return Object.fromEntries(Object.entries(fields).map(([field, value]) => [byName.get(field) ?? field, value]));
}

export interface ReplicatePlan extends Review {
  call: ModelCall;
  input: Record<string, unknown>;
  images: ImageInputs;
}

export interface PlannedInputs {
  prompt: string | undefined;
  inputs: Record<string, unknown>;
  /** Inputs that vendor options cannot set, in addition to `prompt` and the fields of `inputs`. */
  decided: readonly string[];
}

/** Merges inputs and vendor options. Replicate reads options only from `input`, so all options are moved there. */
export function withOptions(
  metadata: Record<string, unknown> | undefined,
  { prompt, inputs, decided }: PlannedInputs,
): Record<string, unknown> {
  const fixed = ['prompt', 'input', ...decided, ...Object.keys(inputs)];
  const options = vendorOptions({ ...metadata, ...nestedOptions(metadata, 'input') }, fixed);
  return { ...options, ...inputs, ...(prompt !== undefined && { prompt }) };
}

export async function imageFields(
  images: readonly OpenedImage[],
  inputs: ImageInputs,
): Promise<Record<string, unknown>> {
  const fields: Record<string, unknown> = {};
  for (const [role, ofRole] of Map.groupBy(images, (image) => image.role)) {
    const input = inputs[role];
    const urls = await Promise.all(ofRole.map(imageDataUrl));
    if (input) fields[input.field] = input.isList ? urls : urls[0];
  }
  return fields;
}

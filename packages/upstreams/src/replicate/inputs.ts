import type { MediaField, MediaLossReport, MediaRequest, Review } from '@sluice/canonical';
import { nestedOptions, vendorOptions } from '../media/vendor-options.ts';
import type { ModelCall } from './model-call.ts';
import type { ImageInputs } from './image-inputs.ts';

/** Words that an input takes; an object where the model's own are others. */
export type Words = readonly string[] | Readonly<Record<string, string>>;

/** The words as everybody says them. */
export function commonWords(words: Words): readonly string[] {
  return isList(words) ? words : Object.keys(words);
}

/** A word as the model says it. */
export function format(words: Words, word: string): string {
  return isList(words) ? word : (words[word] ?? word);
}

function isList(words: Words): words is readonly string[] {
  return Array.isArray(words);
}

/** Fields that are passed on as they are, by the model's name for each. */
export type PlainInputs = Readonly<Partial<Record<MediaField, string>>>;

/** Those of the fields that the wish has, under the model's names; what it has no name for is reported as dropped. */
export function plainInputs(
  request: MediaRequest,
  fields: readonly MediaField[],
  names: PlainInputs,
  report: MediaLossReport,
): Record<string, unknown> {
  const inputs: Record<string, unknown> = {};
  for (const field of fields) {
    const value: unknown = Reflect.get(request, field);
    const name = names[field];
    if (value === undefined) continue;
    if (name === undefined) report({ field, how: 'dropped' });
    else inputs[name] = value;
  }
  return inputs;
}

/** What a model is asked for. */
export interface ReplicatePlan extends Review {
  call: ModelCall;
  /** All inputs but the pictures. */
  input: Record<string, unknown>;
  images: ImageInputs;
}

/** What a plan knows of its inputs. */
export interface PlannedInputs {
  prompt: string | undefined;
  inputs: Record<string, unknown>;
  /** Inputs that vendor options cannot say, beside the prompt and those that there are. */
  decided: readonly string[];
}

/**
 * Joins inputs and vendor options. Replicate has options nowhere but in its input, so whatever is not within `input`
 * goes there too.
 */
export function withOptions(
  metadata: Record<string, unknown> | undefined,
  { prompt, inputs, decided }: PlannedInputs,
): Record<string, unknown> {
  const fixed = ['prompt', 'input', ...decided, ...Object.keys(inputs)];
  const options = vendorOptions({ ...metadata, ...nestedOptions(metadata, 'input') }, fixed);
  return { ...options, ...inputs, ...(prompt !== undefined && { prompt }) };
}

import { GatewayError, type TranscriptionFields, type TranscriptionParams } from '@sluice/canonical';
import type { z } from 'zod';
import type { TranscriptionForm } from '../contracts/audio-protocol.ts';
import type { FormField } from '../forms/expand-brackets.ts';
import { baseName, invalidField } from '../forms/form-fields.ts';
import { parseInput } from '../json/parse-input.ts';
import { TranscriptionSchema } from './transcription-schema.ts';

/** Fields that every upstream may understand. Form libraries send blank ones for unset fields. */
const OURS: Readonly<Record<TranscriptionParams['task'], ReadonlySet<string>>> = {
  transcribe: new Set([
    'model',
    'language',
    'prompt',
    'response_format',
    'temperature',
    'timestamp_granularities',
    'stream',
  ]),
  translate: new Set(['model', 'prompt', 'response_format', 'temperature', 'stream']),
};
/** Fields that may occur more than once. */
const LISTS: ReadonlySet<string> = new Set(['timestamp_granularities']);

/**
 * Reads the fields of a form, or those received so far, so the model may be missing. Unknown fields keep their names.
 * @throws GatewayError `invalid_request`
 */
export function decodeTranscription(task: TranscriptionParams['task'], given: readonly FormField[]): TranscriptionForm {
  const riding: [string, string][] = [];
  const known: Record<string, unknown> = {};
  for (const [name, value] of given) {
    const field = ownName(name, OURS[task]);
    if (field === undefined) riding.push([name, textOf(value)]);
    else if (value !== '') note(known, field, value);
  }
  const { model, ...fields } = parseInput(TranscriptionSchema.partial({ model: true }), known);
  if (fields.stream) expectStreamable(task, fields);
  return { ...(model !== undefined && { model }), fields: { ...fieldsOf(fields), riding } };
}

/** `timestamp_granularities[]` is `timestamp_granularities`; other fields are no lists and have no brackets. */
function ownName(name: string, ours: ReadonlySet<string>): string | undefined {
  if (ours.has(name)) return name;
  const base = baseName(name);
  return LISTS.has(base) && ours.has(base) && /^\w+\[\d*\]$/.test(name) ? base : undefined;
}

function note(known: Record<string, unknown>, field: string, value: unknown): void {
  if (LISTS.has(field)) {
    const list = (known[field] ??= []) as unknown[]; // only arrays are stored there
    // One at a time: a call accepts only a limited number of arguments.
    for (const one of Array.isArray(value) ? value : listed(value)) list.push(one);
  } else if (field in known) {
    throw new GatewayError('invalid_request', `Field ${field} must occur only once.`, { param: field });
  } else known[field] = value;
}

/** A list in one field: `["word"]` or `word,segment`. */
function listed(value: unknown): unknown[] {
  if (typeof value !== 'string') return [value];
  if (!value.trimStart().startsWith('[')) return value.split(',').map((one) => one.trim());
  try {
    const list: unknown = JSON.parse(value);
    if (Array.isArray(list)) return list;
  } catch {
    // Reported below.
  }
  throw invalidField('timestamp_granularities', 'must be a list of word and segment');
}

/** A part may be typed as JSON; it is passed on as text. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** @throws GatewayError for formats without events */
function expectStreamable(task: TranscriptionParams['task'], { response_format: format }: Parsed): void {
  if (task === 'translate') {
    const what = 'stream is not supported for translations. Remove the field.';
    throw new GatewayError('unsupported_parameter', what, { param: 'stream' });
  }
  if (format === 'srt' || format === 'vtt') throw invalidField('stream', 'requires the response_format json or text');
}

type Parsed = Omit<z.output<typeof TranscriptionSchema>, 'model'>;

function fieldsOf(fields: Parsed): Omit<TranscriptionFields, 'riding'> {
  const { language, prompt, temperature, response_format: format, timestamp_granularities: granularities } = fields;
  return {
    ...(language !== undefined && { language }),
    ...(prompt !== undefined && { prompt }),
    ...(temperature !== undefined && { temperature }),
    ...(format !== undefined && { format }),
    ...(granularities !== undefined && { granularities }),
    stream: fields.stream === true,
  };
}

import { GatewayError, type TranscriptionFields, type TranscriptionParams } from '@sluice/canonical';
import type { z } from 'zod';
import type { TranscriptionForm } from '../contracts/audio-protocol.ts';
import type { FormField } from '../forms/expand-brackets.ts';
import { baseName, parseJsonText } from '../forms/form-fields.ts';
import { invalidField } from '../json/json-field.ts';
import { parseInput } from '../json/parse-input.ts';
import { TranscriptionSchema } from './transcription-schema.ts';

/** Fields that the gateway decodes. Blank values are dropped, because form libraries send them for unset fields. */
const KNOWN_FIELDS: Readonly<Record<TranscriptionParams['task'], ReadonlySet<string>>> = {
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
const LIST_FIELDS: ReadonlySet<string> = new Set(['timestamp_granularities']);

/**
 * Decodes a form's fields. The model may be missing, because fields can still arrive after the file. Unknown fields
 * keep their names.
 * @throws GatewayError `invalid_request`
 */
export function decodeTranscription(task: TranscriptionParams['task'], form: readonly FormField[]): TranscriptionForm {
  const others: [string, string][] = [];
  const known: Record<string, unknown> = {};
  for (const [name, value] of form) {
    const field = knownName(name, KNOWN_FIELDS[task]);
    if (field === undefined) others.push([name, textOf(value)]);
    else if (value !== '') addField(known, field, value);
  }
  const { model, ...fields } = parseInput(TranscriptionSchema.partial({ model: true }), known);
  if (fields.stream) expectStreamable(task, fields);
  return { ...(model !== undefined && { model }), fields: { ...fieldsOf(fields), others } };
}

/**
 * Returns the known field that a name refers to. Only the names of lists can have brackets:
 * `timestamp_granularities[]`.
 */
function knownName(name: string, known: ReadonlySet<string>): string | undefined {
  if (known.has(name)) return name;
  const base = baseName(name);
  return LIST_FIELDS.has(base) && known.has(base) && /^\w+\[\d*\]$/.test(name) ? base : undefined;
}

function addField(known: Record<string, unknown>, field: string, value: unknown): void {
  if (LIST_FIELDS.has(field)) {
    const list = (known[field] ??= []) as unknown[]; // The cast is safe because only arrays are stored in `known`.
    // Values are added one at a time, because a function call accepts only a limited number of arguments.
    for (const one of Array.isArray(value) ? value : splitList(value)) list.push(one);
  } else if (field in known) {
    throw new GatewayError('invalid_request', `\`${field}\` appears twice. Send it once.`, { param: field });
  } else known[field] = value;
}

/** Splits a list sent in one field: `["word"]` or `word,segment`. */
function splitList(value: unknown): unknown[] {
  if (typeof value !== 'string') return [value];
  if (!value.trimStart().startsWith('[')) return value.split(',').map((one) => one.trim());
  const list = parseJsonText(value, 'timestamp_granularities');
  if (Array.isArray(list)) return list;
  throw invalidField('timestamp_granularities', 'must be an array of word and segment');
}

/** A form part may be JSON. Upstreams receive it as text. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function expectStreamable(task: TranscriptionParams['task'], { response_format: format }: Parsed): void {
  if (task === 'translate') {
    const message = 'stream is not supported for translations. Remove the field.';
    throw new GatewayError('unsupported_parameter', message, { param: 'stream' });
  }
  if (format === 'srt' || format === 'vtt') throw invalidField('stream', 'requires `response_format` json or text');
}

type Parsed = Omit<z.output<typeof TranscriptionSchema>, 'model'>;

function fieldsOf(fields: Parsed): Omit<TranscriptionFields, 'others'> {
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

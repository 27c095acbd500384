import { randomUUID } from 'node:crypto';
import type { TranscriptFormat, TranscriptionFields, TranscriptionParams } from '@sluice/canonical';
import { fieldPart, fileHead, formEnd, multipartBody } from '../http/multipart-body.ts';

export interface TranscriptionForm {
  contentType: string;
  bytes?: number;
  source: AsyncIterable<Uint8Array>;
}

type Field = [name: string, value: string];

/**
 * Encodes parameters as OpenAI's form. Known fields are sent before the audio. If the client's form is still
 * incomplete, the remaining fields, including the response format, follow the audio.
 * @param decide returns the format to request when all fields are known; if it throws, the form is aborted
 */
export function transcriptionForm(
  params: TranscriptionParams,
  model: string,
  decide: (fields: TranscriptionFields) => TranscriptFormat,
): TranscriptionForm {
  const { audio, known, isComplete } = params;
  const boundary = `sluice-${randomUUID()}`;
  const contentType = `multipart/form-data; boundary=${boundary}`;
  const file = { name: 'file', filename: audio.filename, mediaType: audio.mediaType };
  const knownFields: Field[] = [['model', model], ...plainFields(known)];
  if (isComplete) knownFields.push(...decidedFields(known, decide(known)));
  if (isComplete && audio.bytes !== undefined) {
    const { bytes } = audio;
    const form = multipartBody({ fields: knownFields, files: [{ ...file, bytes, source: audio.open() }] }, boundary);
    return { contentType, source: form.source, bytes: form.bytes };
  }
  async function* chunks(): AsyncGenerator<Uint8Array> {
    const parts = (fields: readonly Field[]) =>
      fields.map(([name, value]) => fieldPart(boundary, name, value)).join('');
    yield Buffer.from(parts(knownFields) + fileHead(boundary, file));
    yield* audio.open();
    const all = await params.all();
    const remainingFields = isComplete
      ? []
      : [...plainFields(newFields(known, all)), ...decidedFields(all, decide(all))];
    yield Buffer.from(`\r\n${parts(remainingFields)}${formEnd(boundary)}`);
  }
  return { contentType, source: chunks() };
}

function plainFields({ language, prompt, temperature, others }: Omit<TranscriptionFields, 'stream'>): Field[] {
  return [
    ...(language === undefined ? [] : [['language', language] satisfies Field]),
    ...(prompt === undefined ? [] : [['prompt', prompt] satisfies Field]),
    ...(temperature === undefined ? [] : [['temperature', String(temperature)] satisfies Field]),
    ...others.map(([name, value]): Field => [name, value]),
  ];
}

/** Encodes the fields whose values depend on other fields. Call it only when all fields are known. */
function decidedFields(
  { format, granularities = [], stream }: TranscriptionFields,
  upstreamFormat: TranscriptFormat,
): Field[] {
  return [
    // Some servers reject this field. If it is omitted, the format is always JSON.
    ...(format === undefined && upstreamFormat === 'json' ? [] : [['response_format', upstreamFormat] satisfies Field]),
    ...granularities.map((one): Field => ['timestamp_granularities[]', one]),
    ...(stream ? [['stream', 'true'] satisfies Field] : []),
  ];
}

/** Returns the fields that arrived after the audio. Known fields never change. */
function newFields(known: TranscriptionFields, all: TranscriptionFields): Omit<TranscriptionFields, 'stream'> {
  const { language, prompt, temperature } = all;
  return {
    ...(known.language === undefined && language !== undefined && { language }),
    ...(known.prompt === undefined && prompt !== undefined && { prompt }),
    ...(known.temperature === undefined && temperature !== undefined && { temperature }),
    others: all.others.slice(known.others.length),
  };
}

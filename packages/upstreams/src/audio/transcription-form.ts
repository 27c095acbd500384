import { randomUUID } from 'node:crypto';
import type { TranscriptFormat, TranscriptionFields, TranscriptionParams } from '@sluice/canonical';
import { fieldPart, fileHead, formEnd, multipartBody } from '../http/multipart-body.ts';

/** A form on its way. */
export interface TranscriptionForm {
  contentType: string;
  /** Where it is known. */
  bytes?: number;
  source: AsyncIterable<Uint8Array>;
}

type Field = [name: string, value: string];

/**
 * Spells a wish as OpenAI's form. What is known goes before the audio; what can be said only when the client's form is
 * through, such as in which format to answer, goes after it. Where all is known beforehand, all of it goes first.
 * @param decide the format to ask for, once all fields are known; may throw, which breaks the form off
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
  const early: Field[] = [['model', model], ...plainFields(known)];
  if (isComplete) early.push(...decidedFields(known, decide(known)));
  if (isComplete && audio.bytes !== undefined) {
    const { bytes } = audio;
    const whole = multipartBody({ fields: early, files: [{ ...file, bytes, source: audio.open() }] }, boundary);
    return { contentType, source: whole.source, bytes: whole.bytes };
  }
  async function* chunks(): AsyncGenerator<Uint8Array> {
    const parts = (fields: readonly Field[]) =>
      fields.map(([name, value]) => fieldPart(boundary, name, value)).join('');
    yield Buffer.from(parts(early) + fileHead(boundary, file));
    yield* audio.open();
    const all = await params.all();
    const late = isComplete ? [] : [...plainFields(newFields(known, all)), ...decidedFields(all, decide(all))];
    yield Buffer.from(`\r\n${parts(late)}${formEnd(boundary)}`);
  }
  return { contentType, source: chunks() };
}

function plainFields({ language, prompt, temperature, riding }: Omit<TranscriptionFields, 'stream'>): Field[] {
  return [
    ...(language === undefined ? [] : [['language', language] satisfies Field]),
    ...(prompt === undefined ? [] : [['prompt', prompt] satisfies Field]),
    ...(temperature === undefined ? [] : [['temperature', String(temperature)] satisfies Field]),
    ...riding.map(([name, value]): Field => [name, value]),
  ];
}

/** What is told only when all is known, since one decides on the other. */
function decidedFields({ format, granularities = [], stream }: TranscriptionFields, asked: TranscriptFormat): Field[] {
  return [
    // Some servers do not know the field; unset is json everywhere.
    ...(format === undefined && asked === 'json' ? [] : [['response_format', asked] satisfies Field]),
    ...granularities.map((one): Field => ['timestamp_granularities[]', one]),
    ...(stream ? [['stream', 'true'] satisfies Field] : []),
  ];
}

/** What came after the audio; fields never change, they only come. */
function newFields(known: TranscriptionFields, all: TranscriptionFields): Omit<TranscriptionFields, 'stream'> {
  const { language, prompt, temperature } = all;
  return {
    ...(known.language === undefined && language !== undefined && { language }),
    ...(known.prompt === undefined && prompt !== undefined && { prompt }),
    ...(known.temperature === undefined && temperature !== undefined && { temperature }),
    riding: all.riding.slice(known.riding.length),
  };
}

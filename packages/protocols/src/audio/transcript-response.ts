import { GatewayError, type Transcript, type TranscriptFormat, type TranscriptionFields } from '@sluice/canonical';
import type { WrittenTranscript } from '../contracts/audio-protocol.ts';
import { sseData } from '../stream/sse.ts';
import { encodeTranscriptUsage } from './audio-usage.ts';
import { encodeSrt, encodeVtt } from './subtitles.ts';

type CompleteTranscript = Exclude<Transcript, { kind: 'events' }>;

const TYPES: Readonly<Record<TranscriptFormat, string>> = {
  json: 'application/json; charset=utf-8',
  verbose_json: 'application/json; charset=utf-8',
  diarized_json: 'application/json; charset=utf-8',
  text: 'text/plain; charset=utf-8',
  srt: 'application/x-subrip; charset=utf-8',
  vtt: 'text/vtt; charset=utf-8',
};

/**
 * @param model the requested model
 * @throws GatewayError when the upstream's transcript lacks the data for the format
 */
export function encodeTranscript(
  transcript: CompleteTranscript,
  { format = 'json' }: TranscriptionFields,
  model: string,
): WrittenTranscript {
  const mediaType = TYPES[format];
  if (transcript.kind === 'formatted') return { mediaType, body: transcript.bytes };
  return { mediaType, body: encodeParsed(transcript, format, model) };
}

function encodeParsed(
  transcript: Extract<Transcript, { kind: 'parsed' }>,
  format: TranscriptFormat,
  model: string,
): string {
  const { text, segments, usage, json } = transcript;
  switch (format) {
    case 'json':
      if (json !== undefined) return JSON.stringify(withoutVendorIds(json, model));
      return JSON.stringify({ text, ...(usage && { usage: encodeTranscriptUsage(usage) }) });
    case 'text':
      return `${text.trimEnd()}\n`;
    case 'srt':
      return encodeSrt(segments ?? throwNoTimestamps(format));
    case 'vtt':
      return encodeVtt(segments ?? throwNoTimestamps(format));
    case 'verbose_json':
    case 'diarized_json':
      return json === undefined ? throwNoTimestamps(format) : JSON.stringify(withoutVendorIds(json, model));
  }
}

/** Removes the vendor's ids and replaces its model name with the requested one. */
function withoutVendorIds(json: Readonly<Record<string, unknown>>, model: string): Record<string, unknown> {
  const { id: _id, x_groq: _groq, ...rest } = json;
  return 'model' in rest ? { ...rest, model } : rest;
}

function throwNoTimestamps(format: TranscriptFormat): never {
  throw new GatewayError(
    'unsupported_parameter',
    `The upstream returned no timestamps, which \`${format}\` requires. Set \`response_format\` to \`json\` or \`text\`.`,
    { param: 'response_format' },
  );
}

/** Encodes a complete transcript as a stream with one delta event and one final event. */
export function encodeTranscriptEvents({ text, usage }: Extract<Transcript, { kind: 'parsed' }>): string {
  const cost = usage && { usage: encodeTranscriptUsage(usage) };
  const delta = text === '' ? '' : sseData({ type: 'transcript.text.delta', delta: text });
  return delta + sseData({ type: 'transcript.text.done', text, ...cost });
}

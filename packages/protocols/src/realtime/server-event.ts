import type { Usage } from '@sluice/canonical';
import { isRecord } from '../json/is-record.ts';
import { bufferOf, jsonOf, looksLikeObject } from './frame-text.ts';
import { renameModel } from './rename-model.ts';
import { usageOf } from './session-usage.ts';

export interface ServerEdits {
  model: string;
  upstreamModel: string;
  scrub: (text: string) => string;
  holdsCredential: (data: Uint8Array) => boolean;
}

export interface ServerEvent {
  /** The frame for the client. Contains the original bytes if nothing changed. */
  data: Uint8Array;
  usage?: Usage;
}

/** Number of bytes in which the type is searched. Vendors put the type first or after the event's id. */
const HEAD_BYTES = 512;
const HEAD = /^\s*\{(?:\s*"[^"\\]*"\s*:\s*(?:"[^"\\]*"|[\w.+-]+)\s*,)*?\s*"type"\s*:\s*"([^"\\]*)"/;
/** Longer events are parsed only if their type is known. */
const UNKNOWN_BYTES = 64 * 1024;
/** Suffixes of relevant types, for long events without a type in the first bytes. */
const ENDS = [
  'session.created"',
  'session.updated"',
  '"error"',
  '.failed"',
  '"response.done"',
  'transcription.completed"',
];

/**
 * Prepares an upstream's event for the client. Parses only events that can contain the model, account details, or
 * usage. Audio deltas are long and frequent, so they are forwarded unparsed unless they contain a credential.
 * @param isText whether the frame is text; a binary frame is an event only if it starts like JSON
 */
export function readServerEvent(data: Uint8Array, edits: ServerEdits, isText: boolean): ServerEvent {
  const isEvent = isText || looksLikeObject(data);
  const read = isEvent ? readEvent(data, edits) : { data };
  if (!edits.holdsCredential(read.data)) return read;
  return { ...read, data: changed(read.data, edits.scrub, isEvent ? 'utf8' : 'latin1') };
}

function readEvent(data: Uint8Array, edits: ServerEdits): ServerEvent {
  const type = typeOf(data);
  // Beta sessions that only transcribe have a different type.
  if (type.endsWith('session.created') || type.endsWith('session.updated')) return { data: withModel(data, edits) };
  if (type === 'error' || type.endsWith('.failed')) return { data: withClientNames(data, edits) };
  switch (type) {
    case 'response.done': {
      const response = fieldOf(data, 'response');
      if (!isRecord(response)) return { data };
      // A failed response contains the vendor's error message.
      const hasFailed = response['status'] === 'failed' || response['status'] === 'incomplete';
      return { data: hasFailed ? withClientNames(data, edits) : data, ...usageOf(response['usage']) };
    }
    case 'conversation.item.input_audio_transcription.completed':
      return { data, ...usageOf(fieldOf(data, 'usage')) };
    case 'response.output_item.done':
    case 'conversation.item.added':
    case 'conversation.item.created':
    case 'conversation.item.done':
    case 'conversation.item.retrieved': {
      // A failed tool call contains the vendor's error message.
      const item = bufferOf(data).includes('"error"') ? fieldOf(data, 'item') : undefined;
      return { data: isRecord(item) && item['error'] ? withClientNames(data, edits) : data };
    }
    default:
      return { data };
  }
}

function typeOf(data: Uint8Array): string {
  const bytes = bufferOf(data);
  const typeInHead = HEAD.exec(bytes.toString('latin1', 0, HEAD_BYTES))?.[1];
  if (typeInHead !== undefined) return typeInHead;
  if (bytes.byteLength > UNKNOWN_BYTES && !ENDS.some((end) => bytes.includes(end))) return '';
  const type = fieldOf(data, 'type');
  return typeof type === 'string' ? type : '';
}

function fieldOf(data: Uint8Array, name: string): unknown {
  const event = jsonOf(data);
  return isRecord(event) ? event[name] : undefined;
}

function withModel(data: Uint8Array, { model }: ServerEdits): Uint8Array {
  const event = jsonOf(data);
  if (!isRecord(event) || !isRecord(event['session']) || typeof event['session']['model'] !== 'string') return data;
  return Buffer.from(JSON.stringify({ ...event, session: { ...event['session'], model } }));
}

/** In a vendor's error message, replaces the upstream's model name with the name that the client requested. */
function withClientNames(data: Uint8Array, { scrub, model, upstreamModel }: ServerEdits): Uint8Array {
  const [upstreamName, requestedName] = [upstreamModel, model].map((name) => JSON.stringify(name).slice(1, -1)) as [
    string,
    string,
  ]; // The cast is safe because the input has two elements.
  return changed(data, (text) => renameModel(scrub(text), upstreamName, requestedName), 'utf8');
}

function changed(data: Uint8Array, change: (text: string) => string, encoding: 'utf8' | 'latin1'): Uint8Array {
  const text = bufferOf(data).toString(encoding);
  const clean = change(text);
  return clean === text ? data : Buffer.from(clean, encoding);
}

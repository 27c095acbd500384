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
  /** The frame for the client; the same bytes if nothing changes. */
  data: Uint8Array;
  usage?: Usage;
}

/** Vendors write the type first or after the event's id. */
const HEAD_BYTES = 512;
const HEAD = /^\s*\{(?:\s*"[^"\\]*"\s*:\s*(?:"[^"\\]*"|[\w.+-]+)\s*,)*?\s*"type"\s*:\s*"([^"\\]*)"/;
/** Longer events are parsed only if their type is known. */
const UNKNOWN_BYTES = 64 * 1024;
/** Endings of relevant types, for long events without a type in the head. */
const ENDS = [
  'session.created"',
  'session.updated"',
  '"error"',
  '.failed"',
  '"response.done"',
  'transcription.completed"',
];

/**
 * Prepares an upstream's event for the client. Parses only events that may contain the model, account details, or usage:
 * audio deltas are long and frequent. They pass unchanged unless they contain a credential.
 * @param isText binary frames are events only if they start like one
 */
export function readServerEvent(data: Uint8Array, edits: ServerEdits, isText: boolean): ServerEvent {
  const isEvent = isText || looksLikeObject(data);
  const read = isEvent ? readEvent(data, edits) : { data };
  if (!edits.holdsCredential(read.data)) return read;
  return { ...read, data: changed(read.data, edits.scrub, isEvent ? 'utf8' : 'latin1') };
}

function readEvent(data: Uint8Array, edits: ServerEdits): ServerEvent {
  const type = typeOf(data);
  // The beta has sessions of another type that only transcribe.
  if (type.endsWith('session.created') || type.endsWith('session.updated')) return { data: withModel(data, edits) };
  if (type === 'error' || type.endsWith('.failed')) return { data: withClientNames(data, edits) };
  switch (type) {
    case 'response.done': {
      const response = fieldOf(data, 'response');
      if (!isRecord(response)) return { data };
      // A failed response contains the vendor's message.
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
      // A failed tool call contains the reason.
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

/** Rewrites the vendor's message of a failure with the client's model name. */
function withClientNames(data: Uint8Array, { scrub, model, upstreamModel }: ServerEdits): Uint8Array {
  const [upstreamName, requestedName] = [upstreamModel, model].map((name) => JSON.stringify(name).slice(1, -1)) as [
    string,
    string,
  ]; // two
  return changed(data, (text) => renameModel(scrub(text), upstreamName, requestedName), 'utf8');
}

function changed(data: Uint8Array, change: (text: string) => string, encoding: 'utf8' | 'latin1'): Uint8Array {
  const text = bufferOf(data).toString(encoding);
  const clean = change(text);
  return clean === text ? data : Buffer.from(clean, encoding);
}

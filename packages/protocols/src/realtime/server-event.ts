import type { Usage } from '@sluice/canonical';
import { isRecord } from '../json/is-record.ts';
import { bufferOf, jsonOf, looksLikeObject } from './frame-text.ts';
import { renameModel } from './rename-model.ts';
import { usageOf } from './session-usage.ts';

/** What is changed in an upstream's events. */
export interface ServerEdits {
  /** What the client has asked for. */
  model: string;
  /** The upstream's name of it. */
  upstreamModel: string;
  /** Takes out of a text what tells whose account it was written for. */
  scrub: (text: string) => string;
  /** Whether there is a credential in what an upstream sent. */
  holdsCredential: (data: Uint8Array) => boolean;
}

/** An upstream's event, read. */
export interface ServerEvent {
  /** What goes to the client: the frame as it came where there is nothing to change. */
  data: Uint8Array;
  /** What it tells of tokens. */
  usage?: Usage;
}

/** Where the type of an event is looked for: vendors write it first, or behind the event's id. */
const HEAD_BYTES = 512;
const HEAD = /^\s*\{(?:\s*"[^"\\]*"\s*:\s*(?:"[^"\\]*"|[\w.+-]+)\s*,)*?\s*"type"\s*:\s*"([^"\\]*)"/;
/** Longer events are parsed only when something says what they are. */
const UNKNOWN_BYTES = 64 * 1024;
/** How the types end that are of interest; a long event whose head says nothing is searched for them. */
const ENDS = [
  'session.created"',
  'session.updated"',
  '"error"',
  '.failed"',
  '"response.done"',
  'transcription.completed"',
];

/**
 * Reads an upstream's event and makes it fit for the client. Only what may name the model, the account or tokens is parsed:
 * pieces of audio are long and many, and pass as they are, unless a credential is found in them.
 * @param isText binary frames are events only where they begin as one does
 */
export function readServerEvent(data: Uint8Array, edits: ServerEdits, isText: boolean): ServerEvent {
  const isEvent = isText || looksLikeObject(data);
  const read = isEvent ? readEvent(data, edits) : { data };
  if (!edits.holdsCredential(read.data)) return read;
  return { ...read, data: changed(read.data, edits.scrub, isEvent ? 'utf8' : 'latin1') };
}

function readEvent(data: Uint8Array, edits: ServerEdits): ServerEvent {
  const type = typeOf(data);
  // The beta has sessions of another name that only write down.
  if (type.endsWith('session.created') || type.endsWith('session.updated')) return { data: withModel(data, edits) };
  if (type === 'error' || type.endsWith('.failed')) return { data: explained(data, edits) };
  switch (type) {
    case 'response.done': {
      const response = fieldOf(data, 'response');
      if (!isRecord(response)) return { data };
      // A response that failed tells why in the vendor's words.
      const hasFailed = response['status'] === 'failed' || response['status'] === 'incomplete';
      return { data: hasFailed ? explained(data, edits) : data, ...usageOf(response['usage']) };
    }
    case 'conversation.item.input_audio_transcription.completed':
      return { data, ...usageOf(fieldOf(data, 'usage')) };
    case 'response.output_item.done':
    case 'conversation.item.added':
    case 'conversation.item.created':
    case 'conversation.item.done':
    case 'conversation.item.retrieved': {
      // A call of a tool that failed tells why.
      const item = bufferOf(data).includes('"error"') ? fieldOf(data, 'item') : undefined;
      return { data: isRecord(item) && item['error'] ? explained(data, edits) : data };
    }
    default:
      return { data };
  }
}

/** An event's type; empty where it is of no interest. */
function typeOf(data: Uint8Array): string {
  const bytes = bufferOf(data);
  const told = HEAD.exec(bytes.toString('latin1', 0, HEAD_BYTES))?.[1];
  if (told !== undefined) return told;
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

/** What a vendor says of a failure, with the model's name that the client knows. */
function explained(data: Uint8Array, { scrub, model, upstreamModel }: ServerEdits): Uint8Array {
  const [theirs, ours] = [upstreamModel, model].map((name) => JSON.stringify(name).slice(1, -1)) as [string, string]; // two
  return changed(data, (text) => renameModel(scrub(text), theirs, ours), 'utf8');
}

function changed(data: Uint8Array, change: (text: string) => string, encoding: 'utf8' | 'latin1'): Uint8Array {
  const text = bufferOf(data).toString(encoding);
  const clean = change(text);
  return clean === text ? data : Buffer.from(clean, encoding);
}

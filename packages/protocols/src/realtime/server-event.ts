import type { Usage } from '@sluice/canonical';
import { isRecord } from '../is-record.ts';
import { bufferOf, jsonOf } from './frame-text.ts';

/** What is changed in an upstream's events. */
export interface ServerEdits {
  /** What the client has asked for, in place of the upstream's name. */
  model: string;
  /** Takes out of a text what tells whose account it was written for. */
  scrub: (text: string) => string;
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
/** Longer events are parsed only when their head says what they are. */
const UNKNOWN_BYTES = 64 * 1024;

/**
 * Reads an upstream's event and makes it fit for the client. Only what may name the model, the account or tokens is parsed:
 * pieces of audio are long and many, and pass as they are.
 */
export function readServerEvent(data: Uint8Array, { model, scrub }: ServerEdits): ServerEvent {
  switch (typeOf(data)) {
    case 'session.created':
    case 'session.updated':
      return { data: withModel(data, model) };
    case 'error':
      return { data: scrubbed(data, scrub) };
    case 'response.done': {
      const event = jsonOf(data);
      const response = isRecord(event) ? event['response'] : undefined;
      if (!isRecord(response)) return { data };
      // A response that failed tells why in the vendor's words.
      const hasFailed = response['status'] === 'failed' || response['status'] === 'incomplete';
      return { data: hasFailed ? scrubbed(data, scrub) : data, ...usageOf(response['usage']) };
    }
    case 'conversation.item.input_audio_transcription.completed': {
      const event = jsonOf(data);
      return { data, ...usageOf(isRecord(event) ? event['usage'] : undefined) };
    }
    case 'conversation.item.input_audio_transcription.failed':
      return { data: scrubbed(data, scrub) };
    default:
      return { data };
  }
}

/** An event's type; empty where it is of no interest. */
function typeOf(data: Uint8Array): string {
  const told = HEAD.exec(bufferOf(data).toString('latin1', 0, HEAD_BYTES))?.[1];
  if (told !== undefined || data.byteLength > UNKNOWN_BYTES) return told ?? '';
  const event = jsonOf(data);
  return isRecord(event) && typeof event['type'] === 'string' ? event['type'] : '';
}

function withModel(data: Uint8Array, model: string): Uint8Array {
  const event = jsonOf(data);
  if (!isRecord(event) || !isRecord(event['session']) || typeof event['session']['model'] !== 'string') return data;
  return Buffer.from(JSON.stringify({ ...event, session: { ...event['session'], model } }));
}

function scrubbed(data: Uint8Array, scrub: (text: string) => string): Uint8Array {
  const text = bufferOf(data).toString();
  const clean = scrub(text);
  return clean === text ? data : Buffer.from(clean);
}

/** `{input_tokens, output_tokens, input_token_details, output_token_details}`, as far as it is there. */
function usageOf(value: unknown): { usage?: Usage } {
  if (!isRecord(value)) return {};
  const [input, output] = [value['input_token_details'], value['output_token_details']];
  const inputTokens = count(value, 'input_tokens');
  const outputTokens = count(value, 'output_tokens');
  if (inputTokens === undefined && outputTokens === undefined) return {};
  const details = {
    cachedTokens: count(input, 'cached_tokens'),
    audioInputTokens: count(input, 'audio_tokens'),
    imageInputTokens: count(input, 'image_tokens'),
    audioOutputTokens: count(output, 'audio_tokens'),
    reasoningTokens: count(output, 'reasoning_tokens'),
  };
  const told = Object.fromEntries(Object.entries(details).filter(([, tokens]) => tokens !== undefined));
  return { usage: { inputTokens: inputTokens ?? 0, outputTokens: outputTokens ?? 0, ...told } };
}

function count(value: unknown, name: string): number | undefined {
  if (!isRecord(value)) return undefined;
  const told = value[name];
  return typeof told === 'number' && Number.isSafeInteger(told) && told >= 0 ? told : undefined;
}

/** Adds up what the answers of a session have cost. */
export function addUsage(one: Usage | undefined, other: Usage): Usage {
  const sum: Usage = { ...one, ...other };
  if (one === undefined) return sum;
  const names = Object.keys(sum) as (keyof Usage)[]; // its own keys
  for (const name of names) sum[name] = (one[name] ?? 0) + (other[name] ?? 0);
  return sum;
}

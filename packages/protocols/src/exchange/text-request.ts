import { GatewayError } from '@sluice/canonical';
import { isRecord } from '../json/is-record.ts';
import { parseInput } from '../json/parse-input.ts';
import type { TextProtocol } from '../contracts/text-protocol.ts';
import { type JsonMember, jsonMembers } from './json-members.ts';
import { jsonSkeleton, type JsonSkeleton } from './json-skeleton.ts';

/** A request with a validated top level, not decoded yet. */
export interface TextRequest {
  protocol: TextProtocol;
  bytes: Uint8Array;
  /** The body without the contents of long strings; {@link members} uses its positions. */
  skeleton: JsonSkeleton;
  members: ReadonlyMap<string, JsonMember>;
  model: string;
  stream: boolean;
  /** The value of a top-level member. Strings of more than 4 KiB in it are shortened. */
  member(name: string): unknown;
  /** Whether the body contains the text as a key or a complete string. */
  mentions(text: string): boolean;
  /** Whether any string in the body begins with these four characters. */
  mentionsBeginning(text: string): boolean;
  body(): Record<string, unknown>;
}

export interface PathRequest {
  model: string;
  stream: boolean;
}

/**
 * @param path its parameters, for protocols that name the model there
 * @throws GatewayError `invalid_request` for invalid JSON or an invalid top level
 */
export function readTextRequest(protocol: TextProtocol, bytes: Uint8Array, path?: PathRequest): TextRequest {
  const skeleton = jsonSkeleton(bytes);
  const shape = parseBody(Buffer.from(skeleton.text, 'latin1'));
  parseInput(protocol.topLevel, shape);
  return textRequest(protocol, { bytes, skeleton, shape, path });
}

export function withBody(request: TextRequest, body: Record<string, unknown>): TextRequest {
  const bytes = Buffer.from(JSON.stringify(body));
  const { protocol, model, stream } = request;
  return textRequest(protocol, { bytes, skeleton: jsonSkeleton(bytes), shape: body, path: { model, stream } });
}

interface Parts {
  bytes: Uint8Array;
  skeleton: JsonSkeleton;
  /** The body, with complete or shortened strings. */
  shape: Record<string, unknown>;
  path: PathRequest | undefined;
}

function textRequest(protocol: TextProtocol, { bytes, skeleton, shape, path }: Parts): TextRequest {
  const { text } = skeleton;
  const isComplete = text.length === bytes.length;
  let body = isComplete ? shape : undefined;
  let unescaped: string | undefined;
  return {
    protocol,
    bytes,
    skeleton,
    members: jsonMembers(text, 0, rejectRepeat) ?? new Map<string, JsonMember>(),
    model: path?.model ?? String(shape['model']),
    stream: path?.stream ?? shape['stream'] === true,
    member: (name) => shape[name],
    mentions: (word) => text.includes(`"${word}"`) || (unescaped ??= unescapedAscii(text)).includes(`"${word}"`),
    mentionsBeginning: (begin) => text.includes(`"${begin}`),
    body: () => (body ??= parseBody(bytes)),
  };
}

/** The text with escaped ASCII decoded, since an escape could hide a known word; empty without escapes. */
function unescapedAscii(text: string): string {
  if (!text.includes('\\u00') || !/\\u00[2-7]/.test(text)) return '';
  return text.replaceAll(/\\u00([2-7][0-9a-f])/gi, (_escape, hex: string) => String.fromCharCode(parseInt(hex, 16)));
}

/** @throws GatewayError `invalid_request` for anything but a JSON object */
export function parseBody(bytes: Uint8Array): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
  } catch {
    throw new GatewayError('invalid_request', 'The body is not valid JSON.');
  }
  if (isRecord(value)) return value;
  throw new GatewayError('invalid_request', 'The body must be a JSON object.');
}

/** Parsers differ in which of two equal members counts: the checked value could differ from the used one. */
function rejectRepeat(key: string): never {
  const param = key.slice(0, 80);
  const message = `${JSON.stringify(param)} appears twice in the body. Send it once.`;
  throw new GatewayError('invalid_request', message, { param });
}

import { GatewayError, type GenerationRequest, type Loss } from '@sluice/canonical';
import { parseInput } from '../json/parse-input.ts';
import { expectObject, parseScanned } from '../json/parse-json.ts';
import type { DecodeInput, TextProtocol } from '../contracts/text-protocol.ts';
import type { TokenCodec } from '../text/token-codec.ts';
import { type JsonMember, jsonMembers } from './json-members.ts';
import { jsonSkeleton, type JsonSkeleton } from './json-skeleton.ts';

export interface DecodedRequest {
  generation: GenerationRequest;
  /** Fields of the client's protocol that the canonical format does not support. */
  losses: readonly Loss[];
}

/** A request with a validated top level. Its content is decoded only if needed. */
export interface TextRequest {
  protocol: TextProtocol;
  bytes: Uint8Array;
  /** The body with shortened long strings. The positions of {@link members} refer to it. */
  skeleton: JsonSkeleton;
  members: ReadonlyMap<string, JsonMember>;
  model: string;
  stream: boolean;
  /** Returns the value of a top-level member. Strings longer than 4 KiB inside it are shortened. */
  member(name: string): unknown;
  /** Whether the body might contain the text as a key or a complete string. Always true if names are escaped. */
  mentions(text: string): boolean;
  /**
   * Whether the body might contain one of several texts as a key or a complete string. Always true if names are
   * escaped. @param words matches each text with its quotes
   */
  mentionsAny(words: RegExp): boolean;
  /** Whether any string in the body begins with this 4-character text. */
  mentionsBeginning(text: string): boolean;
  body(): Record<string, unknown>;
  /** Decodes the body on the first call. @throws GatewayError if the canonical format does not support it */
  decoded(tokenCodec: TokenCodec): DecodedRequest;
}

export interface PathRequest {
  model: string;
  stream: boolean;
}

/**
 * @param path the model and stream flag from the path, for protocols that send them there
 * @throws GatewayError `invalid_request` for invalid JSON or an invalid top level
 */
export function readTextRequest(protocol: TextProtocol, bytes: Uint8Array, path?: PathRequest): TextRequest {
  const skeleton = jsonSkeleton(bytes);
  const shape = parseSkeleton(bytes, skeleton);
  parseInput(protocol.topLevel, shape);
  return textRequest(protocol, { bytes, skeleton, shape, path });
}

/** @throws GatewayError if the body, which can hold a full conversation, exceeds the limits of `scanJson` */
export function withBody(
  request: TextRequest,
  body: Record<string, unknown>,
  stream: boolean = request.stream,
): TextRequest {
  const bytes = Buffer.from(JSON.stringify(body));
  const { protocol, model } = request;
  const skeleton = jsonSkeleton(bytes);
  const shape = parseSkeleton(bytes, skeleton);
  return textRequest(protocol, { bytes, skeleton, shape, path: { model, stream } });
}

interface Parts {
  bytes: Uint8Array;
  skeleton: JsonSkeleton;
  /** The parsed body with shortened strings. */
  shape: Record<string, unknown>;
  path: PathRequest | undefined;
}

function textRequest(protocol: TextProtocol, { bytes, skeleton, shape, path }: Parts): TextRequest {
  const { text } = skeleton;
  const isLarge = bytes.length > LARGE_BYTES;
  const shapeOf = cached(() => parseSkeleton(bytes, skeleton), isLarge, shape);
  const bodyOf = isComplete(bytes, skeleton) ? shapeOf : cached(() => expectObject(parseScanned(bytes)), isLarge);
  let hasEscapes: boolean | undefined;
  const model = path?.model ?? String(shape['model']);
  const stream = path?.stream ?? shape['stream'] === true;
  return {
    protocol,
    bytes,
    skeleton,
    members: jsonMembers(text, 0, rejectRepeat) ?? new Map<string, JsonMember>(),
    model,
    stream,
    member: (name) => shapeOf()[name],
    mentions: (word) => text.includes(`"${word}"`) || (hasEscapes ??= escapesNames(text)),
    mentionsAny: (words) => words.test(text) || (hasEscapes ??= escapesNames(text)),
    mentionsBeginning: (begin) => text.includes(`"${begin}`),
    body: bodyOf,
    decoded: cached(
      (tokenCodec: TokenCodec) => decode(protocol, { body: bodyOf(), model, stream, tokenCodec }),
      isLarge,
    ),
  };
}

/** The parsed form of a larger body is freed during the upstream call, and parsed again if needed. */
const LARGE_BYTES = 64 * 1024;

function cached<T extends object, Args extends readonly unknown[]>(
  create: (...args: Args) => T,
  isWeak: boolean,
  first?: T,
): (...args: Args) => T {
  if (isWeak) {
    let ref = first && new WeakRef(first);
    return (...args) => {
      const value = ref?.deref() ?? create(...args);
      ref = new WeakRef(value);
      return value;
    };
  }
  let value = first;
  return (...args) => (value ??= create(...args));
}

function decode(protocol: TextProtocol, input: Omit<DecodeInput, 'report'>): DecodedRequest {
  const losses: Loss[] = [];
  return { generation: protocol.decodeRequest({ ...input, report: (loss) => void losses.push(loss) }), losses };
}

function isComplete(bytes: Uint8Array, { text }: JsonSkeleton): boolean {
  return text.length === bytes.length;
}

function parseSkeleton(bytes: Uint8Array, skeleton: JsonSkeleton): Record<string, unknown> {
  const shortened = isComplete(bytes, skeleton) ? bytes : Buffer.from(skeleton.text, 'latin1');
  return expectObject(parseScanned(shortened));
}

/**
 * An escaped letter, digit, or underscore, which could hide a checked name. No JSON encoder escapes these characters.
 */
const ESCAPED_NAME = /\\u00(?:3\d|[46][1-9a-f]|[57][0-9a]|5f)/i;

function escapesNames(text: string): boolean {
  return text.includes('\\u00') && ESCAPED_NAME.test(text);
}

/** Parsers differ in which of two duplicate members they use, so the upstream could use one that was not checked. */
function rejectRepeat(key: string): never {
  const param = key.slice(0, 80);
  const message = `\`${param}\` appears twice. Send it once.`;
  throw new GatewayError('invalid_request', message, { param });
}

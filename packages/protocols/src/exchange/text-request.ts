import { GatewayError } from '@sluice/canonical';
import { parseInput } from '../parse-input.ts';
import type { TextProtocol } from '../text-protocol.ts';
import { binaryText } from './binary-text.ts';
import { type JsonMember, jsonMembers } from './json-members.ts';
import { jsonStrings } from './json-strings.ts';

/** A client's request, checked on its top level and not yet decoded. */
export interface TextRequest {
  protocol: TextProtocol;
  /** The body as it came. */
  bytes: Uint8Array;
  /** The body with one character for each byte, in which {@link members} count. */
  text: string;
  members: ReadonlyMap<string, JsonMember>;
  /** The id that the client asked for. */
  model: string;
  stream: boolean;
  /** The value of a top-level member, parsed; undefined when it is not there. */
  member(name: string): unknown;
  /** Whether a short string, as a key or a value, stands anywhere in the body. */
  mentions(text: string): boolean;
  /** Whether any long string in the body begins with these four characters. */
  mentionsBeginning(text: string): boolean;
  /** The whole body, parsed when first asked for. */
  body(): Record<string, unknown>;
}

/** What a path says, for protocols that name the model there. */
export interface PathRequest {
  model: string;
  stream: boolean;
}

/** A body up to this length is parsed for its check; of a longer one, only the top level is looked at. */
const SMALL_BYTES = 64 * 1024;
/** A value up to this length is parsed; a longer one is told by its kind. */
const SMALL_VALUE = 4 * 1024;

/**
 * Reads a request's body as far as is needed to know where it goes.
 * @param bytes UTF-8 JSON
 * @throws GatewayError `invalid_request` when it is not JSON, or its top level breaks the protocol's rules
 */
export function readTextRequest(protocol: TextProtocol, bytes: Uint8Array, path?: PathRequest): TextRequest {
  const whole = bytes.length <= SMALL_BYTES ? parseBody(bytes) : undefined;
  const text = binaryText(bytes);
  const members = jsonMembers(text);
  if (!members) throw notAnObject(whole === undefined);
  parseInput(protocol.topLevel, whole ?? topLevelOf(text, members));
  return textRequest(protocol, bytes, { text, members, body: whole, path });
}

/** The same request with another body, e.g. one whose references have been resolved. */
export function withBody(request: TextRequest, body: Record<string, unknown>): TextRequest {
  const bytes = Buffer.from(JSON.stringify(body));
  const text = binaryText(bytes);
  const members = jsonMembers(text) ?? new Map<string, JsonMember>();
  const { protocol, model, stream } = request;
  return textRequest(protocol, bytes, { text, members, body, path: { model, stream } });
}

interface Parts {
  text: string;
  members: ReadonlyMap<string, JsonMember>;
  body: Record<string, unknown> | undefined;
  path: PathRequest | undefined;
}

function textRequest(protocol: TextProtocol, bytes: Uint8Array, parts: Parts): TextRequest {
  const { text, members, path } = parts;
  let { body } = parts;
  const member = (name: string): unknown => {
    if (body) return body[name];
    const found = members.get(name);
    return found && valueAt(text, found);
  };
  // A few searches in a short text cost less than one pass that looks at every string.
  let strings: ReadonlySet<string> | undefined;
  const isSmall = bytes.length <= SMALL_BYTES;
  return {
    protocol,
    bytes,
    text,
    members,
    mentions: (word) => (isSmall ? text.includes(`"${word}"`) : (strings ??= jsonStrings(text)).has(word)),
    mentionsBeginning: (begin) =>
      isSmall ? text.includes(`"${begin}`) : (strings ??= jsonStrings(text)).has(`${begin}…`),
    model: path?.model ?? String(member('model')),
    stream: path?.stream ?? member('stream') === true,
    member,
    body: () => (body ??= parseBody(bytes)),
  };
}

/** @throws GatewayError `invalid_request` when the bytes are no JSON object */
export function parseBody(bytes: Uint8Array): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
  } catch {
    throw notAnObject(true);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw notAnObject(false);
  return value as Record<string, unknown>; // what JSON.parse makes of an object
}

/** The top level of a large body: long values stand as the shortest of their kind. */
function topLevelOf(text: string, members: ReadonlyMap<string, JsonMember>): Record<string, unknown> {
  const shallow: Record<string, unknown> = {};
  for (const [key, member] of members) {
    if (member.end - member.start <= SMALL_VALUE) shallow[key] = valueAt(text, member);
    else if (text[member.start] === '"') shallow[key] = ' ';
    else shallow[key] = text[member.start] === '[' ? [{}] : {};
  }
  return shallow;
}

/** @throws GatewayError `invalid_request` when it is not JSON */
function valueAt(text: string, { start, end }: JsonMember): unknown {
  try {
    const value: unknown = JSON.parse(Buffer.from(text.slice(start, end), 'latin1').toString('utf8'));
    return value;
  } catch {
    throw notAnObject(true);
  }
}

function notAnObject(isBroken: boolean): GatewayError {
  return new GatewayError(
    'invalid_request',
    isBroken ? 'The body is not valid JSON.' : 'The body must be a JSON object.',
  );
}

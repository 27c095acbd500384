import type { LossReport, TextProtocolName, TextTarget } from '@sluice/canonical';
import { TOKEN_PREFIX, tokenFits, type TokenCodec } from '../text/token-codec.ts';
import { isRecord } from '../json/is-record.ts';

/** The fields with a vendor's opaque token, by protocol. */
export const TOKEN_FIELDS: Readonly<Record<TextProtocolName, readonly string[]>> = {
  'chat-completions': ['thought_signature'],
  responses: ['encrypted_content'],
  messages: ['signature', 'data'],
  'generative-content': ['thoughtSignature', 'thought_signature'],
};

/** Protocols whose blocks are useless without their token. */
const DROPS_BLOCK: ReadonlySet<TextProtocolName> = new Set(['responses', 'messages']);

/**
 * Gemini 3 rejects calls of the current turn without a signature. Its documentation (ai.google.dev, "Thought
 * signatures")
 * defines this value for a missing one.
 */
const NO_SIGNATURE = 'skip_thought_signature_validator';

type Fields = Record<string, unknown>;

/**
 * Replaces tokens that the gateway encoded with the vendor's. A token that the target cannot read is removed with its
 * block, because a foreign signature would fail the whole request.
 * @returns a new body; the old one is unchanged
 */
export function restoreTokens(body: Fields, target: TextTarget, tokenCodec: TokenCodec, report: LossReport): Fields {
  const { protocol } = target;

  function restoreBlock(block: Fields): Fields | undefined {
    for (const field of TOKEN_FIELDS[protocol]) {
      const wrapped = block[field];
      if (typeof wrapped !== 'string' || !wrapped.startsWith(TOKEN_PREFIX)) continue;
      const opaqueToken = tokenCodec.unwrap(wrapped);
      if (tokenFits(opaqueToken, target)) return { ...block, [field]: opaqueToken.value };
      report({ field: 'reasoning', how: 'dropped' });
      if (DROPS_BLOCK.has(protocol) || block['thought'] === true || block['text'] === '') return undefined;
      const { [field]: _unreadable, ...rest } = block;
      return rest;
    }
    return block;
  }

  function restore(value: unknown): unknown {
    if (Array.isArray(value)) {
      const kept = value.map(restore).filter((one) => one !== undefined);
      return kept.length === value.length ? kept : kept.filter((one) => !isEmptied(one));
    }
    if (typeof value !== 'object' || value === null) return value;
    const block = restoreBlock(value as Fields); // neither array nor null
    if (!block) return undefined;
    const entries = Object.entries(block).map(([key, inner]): [string, unknown] => [key, restore(inner)]);
    const restored = Object.fromEntries(entries);
    if (protocol === 'generative-content') signFirstCall(restored['parts'], block['parts']);
    return protocol === 'chat-completions' ? withoutEmptyCarrier(restored) : restored;
  }

  const restored = restore(body) as Fields; // a body is no block
  for (const turns of ['messages', 'contents']) {
    const list = restored[turns];
    if (Array.isArray(list)) restored[turns] = list.filter((turn) => !isEmptied(turn));
  }
  return restored;
}

/** Adds the placeholder to a turn's first call if its signature, or the signature of its thought, was removed. */
function signFirstCall(parts: unknown, sent: unknown): void {
  if (!Array.isArray(parts) || !Array.isArray(sent)) return;
  const isChanged = parts.length < sent.length || parts.some((part, at) => isUnsigned(part) && !isUnsigned(sent[at]));
  const call: unknown = parts.find(
    (part) => isRecord(part) && (part['functionCall'] ?? part['function_call']) !== undefined,
  );
  if (isChanged && isRecord(call) && isUnsigned(call)) call['thoughtSignature'] = NO_SIGNATURE;
}

function isUnsigned(part: unknown): boolean {
  return isRecord(part) && part['thoughtSignature'] === undefined && part['thought_signature'] === undefined;
}

/** Removes the empty carrier that the gateway added to a call: vendors other than Google reject unknown members. */
function withoutEmptyCarrier(call: Fields): Fields {
  const { extra_content: extra, ...rest } = call;
  if (!isRecord(extra)) return call;
  const { google, ...others } = extra;
  if (!isRecord(google) || Object.keys(google).length > 0) return call;
  return Object.keys(others).length > 0 ? { ...rest, extra_content: others } : rest;
}

/** Whether a turn contained only removed blocks. */
function isEmptied(turn: unknown): boolean {
  if (typeof turn !== 'object' || turn === null) return false;
  const content: unknown = Reflect.get(turn, 'content') ?? Reflect.get(turn, 'parts');
  return Array.isArray(content) && content.length === 0;
}

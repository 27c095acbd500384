import type { LossReport, TextTarget, UpstreamProtocolName } from '@sluice/canonical';
import { SKIP_SIGNATURE } from '../text/skip-signature.ts';
import { TOKEN_PREFIX, canReadToken, hasTokenPrefix, type TokenCodec } from '../text/token-codec.ts';
import { isExactInteger } from '../json/exact-integers.ts';
import { isRecord } from '../json/is-record.ts';
import { type JsonObject, objectOrEmpty } from '../json/values.ts';

export const TOKEN_FIELDS: Readonly<Record<UpstreamProtocolName, readonly string[]>> = {
  'chat-completions': ['thought_signature'],
  responses: ['encrypted_content'],
  messages: ['signature', 'data'],
  'generative-content': ['thoughtSignature', 'thought_signature'],
  // No client speaks it, so no request is relayed.
  converse: [],
};

/** In these protocols, a block is useless without its token. */
const DROPS_BLOCK: ReadonlySet<UpstreamProtocolName> = new Set(['responses', 'messages']);

/**
 * Replaces the gateway's tokens with the vendor's. If the target cannot read a token, the token and its block are
 * removed, because another account's signature would fail the request.
 */
export function restoreTokens(
  body: JsonObject,
  target: TextTarget,
  tokenCodec: TokenCodec,
  report: LossReport,
): JsonObject {
  const { protocol } = target;

  function restoreBlock(block: JsonObject): JsonObject | undefined {
    // Anthropic refuses a citation that it did not issue. The gateway added this one, so it is no loss.
    if (hasTokenPrefix(block['encrypted_index'])) return undefined;
    for (const field of TOKEN_FIELDS[protocol]) {
      const wrapped = block[field];
      if (typeof wrapped !== 'string' || !wrapped.startsWith(TOKEN_PREFIX)) continue;
      const opaqueToken = tokenCodec.unwrap(wrapped);
      if (canReadToken(opaqueToken, target)) return { ...block, [field]: opaqueToken.value };
      report({ field: 'reasoning', how: 'dropped' });
      if (DROPS_BLOCK.has(protocol) || block['thought'] === true || block['text'] === '') return undefined;
      const { [field]: _unreadable, ...rest } = block;
      return rest;
    }
    return block;
  }

  function restore(value: unknown): unknown {
    if (Array.isArray(value)) {
      const restored = value.map(restore).filter((item) => item !== undefined);
      return restored.length === value.length ? restored : restored.filter((item) => !isEmptied(item));
    }
    if (typeof value !== 'object' || value === null || isExactInteger(value)) return value;
    const block = restoreBlock(value as JsonObject); // The cast is safe because the value is neither an array nor null.
    if (!block) return undefined;
    const entries = Object.entries(block).map(([key, inner]): [string, unknown] => [key, restore(inner)]);
    const restored = Object.fromEntries(entries);
    if (protocol === 'generative-content') signFirstCall(restored['parts'], block['parts']);
    return protocol === 'chat-completions' ? withoutEmptyCarrier(restored) : restored;
  }

  const restored = restore(body) as JsonObject; // The body itself is not a block, so it is never removed.
  for (const turns of ['messages', 'contents']) {
    const list = restored[turns];
    if (Array.isArray(list)) restored[turns] = list.filter((turn) => !isEmptied(turn));
  }
  return restored;
}

/**
 * Adds the placeholder signature to a turn's first call if the call's signature, or its thought's signature, was
 * removed.
 */
function signFirstCall(parts: unknown, sent: unknown): void {
  if (!Array.isArray(parts) || !Array.isArray(sent)) return;
  const isChanged = parts.length < sent.length || parts.some((part, at) => isUnsigned(part) && !isUnsigned(sent[at]));
  const call: unknown = parts.find(
    (part) => isRecord(part) && (part['functionCall'] ?? part['function_call']) !== undefined,
  );
  if (isChanged && isRecord(call) && isUnsigned(call)) call['thoughtSignature'] = SKIP_SIGNATURE;
}

function isUnsigned(part: unknown): boolean {
  return isRecord(part) && part['thoughtSignature'] === undefined && part['thought_signature'] === undefined;
}

/**
 * Removes the empty `extra_content` that the gateway added to a call, because vendors other than Google reject unknown
 * fields.
 */
function withoutEmptyCarrier(call: JsonObject): JsonObject {
  const { extra_content: extra, ...rest } = call;
  if (!isRecord(extra)) return call;
  const { google, ...others } = extra;
  if (!isRecord(google) || Object.keys(google).length > 0) return call;
  return Object.keys(others).length > 0 ? { ...rest, extra_content: others } : rest;
}

/** Whether the turn has no blocks left. */
function isEmptied(turn: unknown): boolean {
  const { content, parts } = objectOrEmpty(turn);
  const blocks = content ?? parts;
  return Array.isArray(blocks) && blocks.length === 0;
}

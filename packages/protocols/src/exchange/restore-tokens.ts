import type { LossReport, TextProtocolName, TextTarget } from '@sluice/canonical';
import { SKIP_SIGNATURE } from '../text/skip-signature.ts';
import { TOKEN_PREFIX, canReadToken, type TokenCodec } from '../text/token-codec.ts';
import { isExactInteger } from '../json/exact-integers.ts';
import { isRecord } from '../json/is-record.ts';
import { type JsonObject, objectOrEmpty } from '../json/values.ts';

export const TOKEN_FIELDS: Readonly<Record<TextProtocolName, readonly string[]>> = {
  'chat-completions': ['thought_signature'],
  responses: ['encrypted_content'],
  messages: ['signature', 'data'],
  'generative-content': ['thoughtSignature', 'thought_signature'],
};

/** Their blocks are useless without a token. */
const DROPS_BLOCK: ReadonlySet<TextProtocolName> = new Set(['responses', 'messages']);

/**
 * Replaces tokens that the gateway encoded with the vendor's. A token that the target cannot read is removed with its
 * block, because a foreign signature would fail the request.
 */
export function restoreTokens(
  body: JsonObject,
  target: TextTarget,
  tokenCodec: TokenCodec,
  report: LossReport,
): JsonObject {
  const { protocol } = target;

  function restoreBlock(block: JsonObject): JsonObject | undefined {
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
    const block = restoreBlock(value as JsonObject); // neither array nor null
    if (!block) return undefined;
    const entries = Object.entries(block).map(([key, inner]): [string, unknown] => [key, restore(inner)]);
    const restored = Object.fromEntries(entries);
    if (protocol === 'generative-content') signFirstCall(restored['parts'], block['parts']);
    return protocol === 'chat-completions' ? withoutEmptyCarrier(restored) : restored;
  }

  const restored = restore(body) as JsonObject; // A body is not a block.
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
  if (isChanged && isRecord(call) && isUnsigned(call)) call['thoughtSignature'] = SKIP_SIGNATURE;
}

function isUnsigned(part: unknown): boolean {
  return isRecord(part) && part['thoughtSignature'] === undefined && part['thought_signature'] === undefined;
}

/** Removes the empty carrier that the gateway added to a call: vendors other than Google reject unknown members. */
function withoutEmptyCarrier(call: JsonObject): JsonObject {
  const { extra_content: extra, ...rest } = call;
  if (!isRecord(extra)) return call;
  const { google, ...others } = extra;
  if (!isRecord(google) || Object.keys(google).length > 0) return call;
  return Object.keys(others).length > 0 ? { ...rest, extra_content: others } : rest;
}

/** Whether the turn has no block left. */
function isEmptied(turn: unknown): boolean {
  const { content, parts } = objectOrEmpty(turn);
  const blocks = content ?? parts;
  return Array.isArray(blocks) && blocks.length === 0;
}

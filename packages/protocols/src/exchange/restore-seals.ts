import type { LossReport, TextProtocolName, TextTarget } from '@sluice/canonical';
import { SEAL_PREFIX, sealFits, type Sealer } from '../sealer.ts';

/** The fields that carry a vendor's seal, by protocol. */
const SEAL_FIELDS: Readonly<Record<TextProtocolName, readonly string[]>> = {
  'chat-completions': ['thought_signature'],
  responses: ['encrypted_content'],
  messages: ['signature', 'data'],
  'generative-content': ['thoughtSignature', 'thought_signature'],
};

/** Protocols whose blocks are worth nothing without their seal. */
const DROPS_BLOCK: ReadonlySet<TextProtocolName> = new Set(['responses', 'messages']);

type Fields = Record<string, unknown>;

/**
 * Puts what the vendor made in the place of what we wrapped, in a conversation that comes back from a client. A seal that
 * the target cannot read goes, with the block that needs it: a foreign signature would have the whole request refused.
 * @returns a new body; the old one stays as it is
 */
export function restoreSeals(body: Fields, target: TextTarget, sealer: Sealer, report: LossReport): Fields {
  const { protocol } = target;

  function restoreBlock(block: Fields): Fields | undefined {
    for (const field of SEAL_FIELDS[protocol]) {
      const wrapped = block[field];
      if (typeof wrapped !== 'string' || !wrapped.startsWith(SEAL_PREFIX)) continue;
      const seal = sealer.unwrap(wrapped);
      if (sealFits(seal, target)) return { ...block, [field]: seal.value };
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
    return Object.fromEntries(Object.entries(block).map(([key, inner]) => [key, restore(inner)]));
  }

  const restored = restore(body) as Fields; // a body is no block
  for (const turns of ['messages', 'contents']) {
    const list = restored[turns];
    if (Array.isArray(list)) restored[turns] = list.filter((turn) => !isEmptied(turn));
  }
  return restored;
}

/** A turn that had nothing but what is gone. */
function isEmptied(turn: unknown): boolean {
  if (typeof turn !== 'object' || turn === null) return false;
  const content: unknown = Reflect.get(turn, 'content') ?? Reflect.get(turn, 'parts');
  return Array.isArray(content) && content.length === 0;
}

import { createHash } from 'node:crypto';
import { ownMember } from '../../json/values.ts';

/** Prefixes of item ids by type. OpenAI rejects an item whose id has a different prefix. */
export const ITEM_PREFIXES: Readonly<Record<string, string>> = {
  message: 'msg_',
  reasoning: 'rs_',
  function_call: 'fc_',
  function_call_output: 'fco_',
  custom_tool_call: 'ctc_',
  custom_tool_call_output: 'ctco_',
  image_generation_call: 'ig_',
  compaction: 'cmp_',
};

/** The id is deterministic and as unguessable as the response id. */
export function outputItemId(type: string, responseId: string, index: number): string {
  return itemIdOf(type, `${responseId} ${index}`);
}

export function callItemId(type: string, callId: string): string {
  return itemIdOf(type, callId);
}

function itemIdOf(type: string, seed: string): string {
  return `${ownMember(ITEM_PREFIXES, type) ?? 'item_'}${createHash('sha256').update(seed).digest('hex').slice(0, 32)}`;
}

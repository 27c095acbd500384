import type { ContentBlock } from '@sluice/canonical';
import { safeCallId } from '../../text/call-id.ts';
import type { Turn } from './arrange-turns.ts';

/** Leaves room for a number within the 64 characters of an id. */
const MAX_STEM_LENGTH = 58;

/**
 * Anthropic rejects a conversation in which two calls have one id, but some models number their calls from zero in each
 * response. The first use keeps its id; later calls and their results get a number. A growing conversation keeps its
 * ids,
 * so the vendor's prompt cache stays valid.
 * @param turns from {@link arrangeTurns}: the results of a turn's calls are in the next turn, in the same order
 */
export function uniqueCallIds(turns: readonly Turn[]): Turn[] {
  const used = new Set<string>();
  let awaited: string[] = [];
  return turns.map(({ role, content }): Turn => {
    if (role === 'assistant') awaited = [];
    return { role, content: content.map((block) => renamed(block)) };
  });

  function renamed(block: ContentBlock): ContentBlock {
    if (block.type === 'tool-call') {
      const callId = unusedId(block.callId);
      awaited.push(callId);
      return callId === block.callId ? block : { ...block, callId };
    }
    const callId = block.type === 'tool-result' ? awaited.shift() : undefined;
    return callId === undefined || block.type !== 'tool-result' || callId === block.callId
      ? block
      : { ...block, callId };
  }

  function unusedId(callId: string): string {
    let id = safeCallId(callId);
    for (let use = 2; used.has(id); use++) id = `${safeCallId(callId).slice(0, MAX_STEM_LENGTH)}_${use}`;
    used.add(id);
    return id;
  }
}

import type { ContentBlock } from '@sluice/canonical';
import { safeCallId } from '../text/call-id.ts';
import type { Turn } from './arrange-turns.ts';

/** Leaves space for a number within an id's 64 characters. */
const MAX_STEM_LENGTH = 58;

/**
 * Makes call ids unique. Anthropic rejects a conversation in which two calls share an id, but some models number their
 * calls from zero in each response. The first call keeps its id. Later calls and their results get a number. The ids
 * stay the same when the conversation grows, so the vendor's prompt cache stays valid.
 * @param turns turns from {@link arrangeTurns}; the results of a turn's calls are in the next turn, in the same order
 */
export function uniqueCallIds(turns: readonly Turn[]): Turn[] {
  const used = new Set<string>();
  let pendingIds: string[] = [];
  return turns.map(({ role, content }): Turn => {
    if (role === 'assistant') pendingIds = [];
    return { role, content: content.map((block) => renamed(block)) };
  });

  function renamed(block: ContentBlock): ContentBlock {
    if (block.type === 'tool-call') {
      const callId = unusedId(block.callId);
      pendingIds.push(callId);
      return callId === block.callId ? block : { ...block, callId };
    }
    if (block.type !== 'tool-result') return block;
    return { ...block, callId: pendingIds.shift() ?? block.callId };
  }

  function unusedId(callId: string): string {
    let id = safeCallId(callId);
    for (let use = 2; used.has(id); use++) id = `${safeCallId(callId).slice(0, MAX_STEM_LENGTH)}_${use}`;
    used.add(id);
    return id;
  }
}

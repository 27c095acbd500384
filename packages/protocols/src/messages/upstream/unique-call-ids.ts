import type { ContentBlock } from '@sluice/canonical';
import { safeCallId } from '../../text/call-id.ts';
import type { Turn } from './arrange-turns.ts';

/** Leaves room for a number within the 64 characters of an id. */
const MAX_STEM_LENGTH = 58;

/**
 * Anthropic refuses a conversation in which two calls have one id, as those of models that count their calls from zero in
 * each answer do. The first use keeps its id, later ones get a number, call and result alike. A conversation that goes on
 * keeps the ids it had, or the vendor's cache of it would be of no use.
 * @param turns as {@link arrangeTurns} made them: the results of a turn's calls stand in the next one, in the same order
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

import type { ContentBlock, Message, ToolCallBlock, ToolResultBlock } from '@sluice/canonical';

export interface Turn {
  role: 'user' | 'assistant' | 'system';
  content: ContentBlock[];
}

/** The first turn of a conversation that starts with the model's. */
const OPENING: Turn = { role: 'user', content: [{ type: 'text', text: '(conversation start)' }] };

/**
 * Arranges messages as Anthropic requires: turns alternate and start with the user's; every call has its result in the
 * next
 * turn, first in it and in the order of the calls. A call without a result gets a placeholder; a result without a call
 * becomes text.
 * @param messages without the leading instructions
 * @param systemTurns whether the model accepts `role: system` among the messages
 */
export function arrangeTurns(messages: readonly Message[], systemTurns: boolean): Turn[] {
  const turns = mergeTurns(messages.flatMap((message) => toTurns(message, systemTurns)));
  const paired = mergeTurns(pairResults(turns));
  return paired[0]?.role === 'user' ? paired : [OPENING, ...paired];
}

function toTurns({ role, content }: Message, systemTurns: boolean): Turn[] {
  switch (role) {
    case 'user':
      return [{ role, content }];
    case 'assistant': {
      // Assistant turns cannot hold images, so the model's own images go to the user's turn.
      const media = content.filter(({ type }) => type === 'media');
      const own = content.filter(({ type }) => type !== 'media');
      return [
        { role, content: own },
        { role: 'user', content: media },
      ];
    }
    case 'system':
    case 'developer':
      if (systemTurns) return [{ role: 'system', content }];
      return [{ role: 'user', content: content.map(asInstruction) }];
  }
}

function asInstruction(block: ContentBlock): ContentBlock {
  return block.type === 'text' ? { ...block, text: `<system>${block.text}</system>` } : block;
}

/** Drops empty turns and merges the turns around them. */
function mergeTurns(turns: readonly Turn[]): Turn[] {
  const merged: Turn[] = [];
  for (const { role, content } of turns) {
    if (content.length === 0) continue;
    const last = merged.at(-1);
    if (last?.role === role) last.content.push(...content);
    else merged.push({ role, content: [...content] });
  }
  return merged;
}

/** Results follow their calls, so every result of a user turn is matched when the turn is reached. */
function pairResults(turns: readonly Turn[]): Turn[] {
  const answered = new Set<ContentBlock>();
  return turns.flatMap(({ role, content }, index): Turn[] => {
    if (role !== 'assistant') return [{ role, content: content.flatMap((block) => unclaimed(block, answered)) }];
    const calls = content.filter((block) => block.type === 'tool-call');
    const results = calls.map((call) => {
      const result = findResult(turns, index + 1, call, answered);
      if (result) answered.add(result);
      return result ?? noResult(call);
    });
    return [
      { role, content },
      { role: 'user', content: results },
    ];
  });
}

function unclaimed(block: ContentBlock, answered: ReadonlySet<ContentBlock>): ContentBlock[] {
  if (block.type !== 'tool-result') return [block];
  return answered.has(block) ? [] : orphan(block);
}

/** The first unmatched result with the call's id, up to the next call with the same id. */
function findResult(
  turns: readonly Turn[],
  from: number,
  call: ToolCallBlock,
  answered: ReadonlySet<ContentBlock>,
): ToolResultBlock | undefined {
  for (const { role, content } of turns.slice(from)) {
    for (const block of content) {
      if (role === 'assistant' && block.type === 'tool-call' && block.callId === call.callId) return undefined;
      const fits = block.type === 'tool-result' && block.callId === call.callId && !answered.has(block);
      if (role === 'user' && fits) return block;
    }
  }
  return undefined;
}

function noResult({ callId, kind }: ToolCallBlock): ToolResultBlock {
  return { type: 'tool-result', callId, kind, content: [{ type: 'text', text: '[no result]' }] };
}

function orphan({ callId, content }: ToolResultBlock): ContentBlock[] {
  return [{ type: 'text', text: `Result of an earlier tool call (${callId}):` }, ...content];
}

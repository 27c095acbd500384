import type { ContentBlock, Message, ToolCallBlock, ToolResultBlock } from '@sluice/canonical';

/** A turn as the wire will have it. */
export interface Turn {
  role: 'user' | 'assistant' | 'system';
  content: ContentBlock[];
}

/** What the first turn says when the conversation begins with the model's. */
const OPENING: Turn = { role: 'user', content: [{ type: 'text', text: '(conversation start)' }] };

/**
 * Brings messages into the order that Anthropic demands: turns alternate, the first is the user's, every call has its
 * result in the turn after it, results come first there and in the order of the calls. A call without a result gets one
 * that says so; a result without a call becomes text.
 * @param messages without the leading instructions
 * @param systemTurns whether `role: system` may stand among the messages
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
      // The model's own pictures may not stand in its turn; it sees them in the user's.
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

/** Turns without content vanish, so that their neighbours meet. */
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

/** Results always follow their calls: when a user turn is reached, all that is answered in it has been claimed. */
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

/** The first result with the call's id that no call has yet, up to where the id is used again. */
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

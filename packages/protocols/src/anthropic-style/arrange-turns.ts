import type { ContentBlock, Message, ToolCallBlock, ToolResultBlock } from '@sluice/canonical';

export interface Turn {
  role: 'user' | 'assistant' | 'system';
  content: ContentBlock[];
}

/** Precedes a conversation that starts with a model turn. */
const OPENING: Turn = { role: 'user', content: [{ type: 'text', text: '(conversation start)' }] };

/**
 * Arranges messages as Anthropic requires: turns alternate, the first turn is the user's, and each user turn begins
 * with the results of the preceding calls. A call without a result gets a placeholder. A result without a call becomes
 * text.
 * @param messages messages without the leading instructions
 * @param systemTurns whether the model accepts `role: system` among the messages
 */
export function arrangeTurns(messages: readonly Message[], systemTurns: boolean): Turn[] {
  const turns = mergeTurns(messages.flatMap((message) => toTurns(message, systemTurns)));
  const paired = usesTools(messages) ? mergeTurns(pairResults(turns)) : turns;
  return paired[0]?.role === 'user' ? paired : [OPENING, ...paired];
}

export function usesTools(messages: readonly Pick<Message, 'content'>[]): boolean {
  return messages.some(({ content }) => content.some(({ type }) => type === 'tool-call' || type === 'tool-result'));
}

function toTurns({ role, content }: Message, systemTurns: boolean): Turn[] {
  switch (role) {
    case 'user':
      return [{ role, content }];
    case 'assistant': {
      // Assistant turns cannot contain images, so images that the model generated move to the user turn.
      if (!content.some(({ type }) => type === 'media')) return [{ role, content }];
      const media = content.filter(({ type }) => type === 'media');
      const others = content.filter(({ type }) => type !== 'media');
      return [
        { role, content: others },
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

/** A user turn's results are matched before the loop reaches that turn, because results always follow their calls. */
function pairResults(turns: readonly Turn[]): Turn[] {
  const matched = new Set<ContentBlock>();
  return turns.flatMap(({ role, content }, index): Turn[] => {
    if (role !== 'assistant') return [{ role, content: content.flatMap((block) => withoutMatched(block, matched)) }];
    const calls = content.filter((block) => block.type === 'tool-call');
    const results = calls.map((call) => {
      const result = findResult(turns, index + 1, call, matched);
      if (result) matched.add(result);
      return result ?? placeholder(call);
    });
    return [
      { role, content },
      { role: 'user', content: results },
    ];
  });
}

function withoutMatched(block: ContentBlock, matched: ReadonlySet<ContentBlock>): ContentBlock[] {
  if (block.type !== 'tool-result') return [block];
  return matched.has(block) ? [] : resultAsText(block);
}

/** Finds the first unmatched result with the call's id, but stops at the next call with the same id. */
function findResult(
  turns: readonly Turn[],
  from: number,
  call: ToolCallBlock,
  matched: ReadonlySet<ContentBlock>,
): ToolResultBlock | undefined {
  for (const { role, content } of turns.slice(from)) {
    for (const block of content) {
      if (role === 'assistant' && block.type === 'tool-call' && block.callId === call.callId) return undefined;
      if (role !== 'user' || block.type !== 'tool-result') continue;
      if (block.callId === call.callId && !matched.has(block)) return block;
    }
  }
  return undefined;
}

function placeholder({ callId, kind }: ToolCallBlock): ToolResultBlock {
  return { type: 'tool-result', callId, kind, content: [{ type: 'text', text: '[no result]' }] };
}

function resultAsText({ callId, content }: ToolResultBlock): ContentBlock[] {
  return [{ type: 'text', text: `Result of an earlier tool call (${callId}):` }, ...content];
}

import type { ContentBlock, Message, OpaqueToken, ToolKind, ToolResultBlock } from '@sluice/canonical';

/** A call that was made in a conversation. */
interface MadeCall {
  callId: string;
  name: string;
  kind: ToolKind;
  isAnswered: boolean;
}

/**
 * Puts a flat list of items together to turns: what an assistant says, thinks and calls in a row is one turn, results in a
 * row are another.
 */
export interface Conversation {
  readonly messages: Message[];
  /** A message of its own; nothing when it is empty. */
  say(role: Message['role'], content: ContentBlock[]): void;
  /** Something that belongs to the assistant's turn. */
  addResponse(block: ContentBlock): void;
  addResult(block: ToolResultBlock): void;
  /** The call that a result without an id means: the oldest one still open, of that name if there is one. */
  openCall(name: string | undefined): MadeCall | undefined;
  madeCall(callId: string): MadeCall | undefined;
  /** Gives a call its seal back. */
  attachToken(callId: string, seal: OpaqueToken): void;
  /** Gives the assistant's last text its seal back, or adds an empty text that holds it. */
  encodeText(seal: OpaqueToken, part: 'text' | 'empty'): void;
}

/** An empty conversation. */
export function createConversation(): Conversation {
  const messages: Message[] = [];
  const calls = new Map<string, MadeCall>();

  function turn(role: 'user' | 'assistant', fits: (last: Message) => boolean): ContentBlock[] {
    const last = messages.at(-1);
    if (last && last.role === role && fits(last)) return last.content;
    const content: ContentBlock[] = [];
    messages.push({ role, content });
    return content;
  }

  function addResponse(block: ContentBlock): void {
    if (block.type === 'tool-call') {
      const { callId, name, kind } = block;
      calls.set(callId, { callId, name, kind, isAnswered: false });
    }
    turn('assistant', () => true).push(block);
  }

  return {
    messages,
    say: (role, content) => {
      if (content.length === 0) return;
      if (role === 'assistant') content.forEach(addResponse);
      else messages.push({ role, content });
    },
    addResponse,
    addResult: (block) => {
      const call = calls.get(block.callId);
      if (call) call.isAnswered = true;
      turn('user', ({ content }) => content[0]?.type === 'tool-result').push(block);
    },
    openCall: (name) =>
      [...calls.values()].find((call) => !call.isAnswered && (name === undefined || call.name === name)),
    madeCall: (callId) => calls.get(callId),
    attachToken: (callId, seal) => {
      for (const { content } of messages) {
        const at = content.findIndex((block) => block.type === 'tool-call' && block.callId === callId);
        const call = content[at];
        if (call?.type === 'tool-call') content[at] = { ...call, seal };
      }
    },
    encodeText: (seal, part) => {
      const content = turn('assistant', () => true);
      const at = content.findLastIndex(({ type }) => type === 'text');
      const text = content[at];
      if (part === 'text' && text?.type === 'text' && !text.seal) content[at] = { ...text, seal };
      else content.push({ type: 'text', text: '', seal });
    },
  };
}

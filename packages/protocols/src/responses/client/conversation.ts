import type { ContentBlock, Message, OpaqueToken, ToolKind, ToolResultBlock } from '@sluice/canonical';

interface RecordedCall {
  callId: string;
  name: string;
  kind: ToolKind;
  hasResult: boolean;
}

export interface Conversation {
  readonly messages: Message[];
  /** Adds a separate message, unless it is empty. */
  addMessage(role: Message['role'], content: ContentBlock[]): void;
  addAssistantBlock(block: ContentBlock): void;
  addResult(block: ToolResultBlock): void;
  /**
   * Returns the oldest call without a result, for results without an id. @param name considers only calls to this tool
   */
  openCall(name: string | undefined): RecordedCall | undefined;
  findCall(callId: string): RecordedCall | undefined;
  attachToken(callId: string, token: OpaqueToken): void;
  /** Attaches a token to the assistant's last text, or to a new empty text. */
  addTextToken(token: OpaqueToken, part: 'text' | 'empty'): void;
}

export function createConversation(): Conversation {
  const messages: Message[] = [];
  const calls = new Map<string, RecordedCall>();

  function contentOf(role: 'user' | 'assistant', matches: (last: Message) => boolean): ContentBlock[] {
    const last = messages.at(-1);
    if (last && last.role === role && matches(last)) return last.content;
    const content: ContentBlock[] = [];
    messages.push({ role, content });
    return content;
  }

  function addAssistantBlock(block: ContentBlock): void {
    if (block.type === 'tool-call') {
      const { callId, name, kind } = block;
      calls.set(callId, { callId, name, kind, hasResult: false });
    }
    contentOf('assistant', () => true).push(block);
  }

  return {
    messages,
    addMessage: (role, content) => {
      if (content.length === 0) return;
      if (role === 'assistant') content.forEach(addAssistantBlock);
      else messages.push({ role, content });
    },
    addAssistantBlock,
    addResult: (block) => {
      const call = calls.get(block.callId);
      if (call) call.hasResult = true;
      contentOf('user', ({ content }) => content[0]?.type === 'tool-result').push(block);
    },
    openCall: (name) =>
      [...calls.values()].find((call) => !call.hasResult && (name === undefined || call.name === name)),
    findCall: (callId) => calls.get(callId),
    attachToken: (callId, token) => {
      for (const { content } of messages) {
        const at = content.findIndex((block) => block.type === 'tool-call' && block.callId === callId);
        const call = content[at];
        if (call?.type === 'tool-call') content[at] = { ...call, opaqueToken: token };
      }
    },
    addTextToken: (token, part) => {
      const content = contentOf('assistant', () => true);
      const at = content.findLastIndex(({ type }) => type === 'text');
      const text = content[at];
      if (part === 'text' && text?.type === 'text' && !text.opaqueToken) content[at] = { ...text, opaqueToken: token };
      else content.push({ type: 'text', text: '', opaqueToken: token });
    },
  };
}

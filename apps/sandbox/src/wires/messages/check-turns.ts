import type { SecretStore } from '../../text/secret-store.ts';
import { invalidMessages } from './messages-error.ts';
import type { MessagesBlock, MessagesMessage, MessagesRequest } from './messages-request.ts';

/** Purposes for which this API encrypts signatures and other values. */
export const THINKING = 'messages thinking';
export const REDACTED = 'messages redacted thinking';

/** Consecutive messages with the same role, merged. Each block keeps its original path for error messages. */
interface MergedMessage {
  role: MessagesMessage['role'];
  at: number;
  blocks: { block: MessagesBlock; path: string }[];
}

function blocksOf({ content }: MessagesMessage): MessagesBlock[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

function merged(messages: readonly MessagesMessage[]): MergedMessage[] {
  const result: MergedMessage[] = [];
  for (const [at, message] of messages.entries()) {
    // System messages between turns do not belong to any turn.
    if (message.role === 'system') continue;
    const blocks = blocksOf(message).map((block, index) => ({ block, path: `messages.${at}.content.${index}` }));
    const last = result.at(-1);
    if (last?.role === message.role) last.blocks.push(...blocks);
    else result.push({ role: message.role, at, blocks });
  }
  return result;
}

function checkNotEmpty(messages: readonly MessagesMessage[]): void {
  for (const [at, message] of messages.entries()) {
    const final = at === messages.length - 1;
    const { content } = message;
    if (message.role !== 'system' && content.length === 0 && !(final && message.role === 'assistant')) {
      const rule = 'all messages must have non-empty content except for the optional final assistant message';
      throw invalidMessages(`messages.${at}: ${rule}`);
    }
    for (const block of typeof content === 'string' ? [] : content) {
      const parts = block.type === 'tool_result' && Array.isArray(block.content) ? block.content : [block];
      for (const part of parts) {
        if (part.type !== 'text') continue;
        if (part.text === '') throw invalidMessages('messages: text content blocks must be non-empty');
        if (part.text.trim() === '')
          throw invalidMessages('messages: text content blocks must contain non-whitespace text');
      }
    }
    const last = blocksOf(message).at(-1);
    if (final && message.role === 'assistant' && last?.type === 'text' && /\s$/.test(last.text)) {
      throw invalidMessages('messages: final assistant content cannot end with trailing whitespace');
    }
  }
}

const SENDERS: Partial<Record<MessagesBlock['type'], MessagesMessage['role']>> = {
  tool_use: 'assistant',
  thinking: 'assistant',
  redacted_thinking: 'assistant',
  tool_result: 'user',
  image: 'user',
  document: 'user',
};

function checkRoles(turns: readonly MergedMessage[]): void {
  if (turns[0]?.role === 'assistant') throw invalidMessages('messages: first message must use the "user" role');
  for (const { role, blocks } of turns) {
    for (const { block, path } of blocks) {
      const sender = SENDERS[block.type] ?? role;
      if (sender !== role)
        throw invalidMessages(`${path}: \`${block.type}\` blocks can only be in \`${sender}\` messages`);
    }
  }
}

/** The message after a tool call must start with the result of that call. */
function checkToolTurns(turns: readonly MergedMessage[]): void {
  const knownIds = new Set<string>();
  let calls: string[] = [];
  for (const { at, blocks } of turns) {
    const results = new Set<string>();
    let leading = true;
    const first = new Set<string>();
    for (const { block, path } of blocks) {
      if (block.type !== 'tool_result') {
        leading = false;
        continue;
      }
      const id = block.tool_use_id;
      if (!calls.includes(id)) {
        const rule = 'Each `tool_result` block must have a corresponding `tool_use` block in the previous message.';
        throw invalidMessages(`${path}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. ${rule}`);
      }
      if (results.has(id)) {
        throw invalidMessages(
          `${path}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`,
        );
      }
      results.add(id);
      if (leading) first.add(id);
    }
    const missing = calls.filter((id) => !first.has(id));
    if (missing.length > 0) throw missingResults(at - 1, missing);
    calls = [];
    for (const { block, path } of blocks) {
      if (block.type !== 'tool_use') continue;
      if (knownIds.has(block.id)) throw invalidMessages(`${path}: \`tool_use\` ids must be unique`);
      knownIds.add(block.id);
      calls.push(block.id);
    }
  }
  if (calls.length > 0) throw missingResults(turns.at(-1)?.at ?? 0, calls);
}

function missingResults(at: number, ids: readonly string[]) {
  const rule = 'Each `tool_use` block must have a corresponding `tool_result` block in the next message.';
  const problem = '`tool_use` ids were found without `tool_result` blocks immediately after';
  return invalidMessages(`messages.${at}: ${problem}: ${ids.join(', ')}. ${rule}`);
}

/** Thinking blocks must be unchanged. In a tool loop, they must precede the tool calls. */
function checkThinking(
  turns: readonly MergedMessage[],
  { model, thinking }: Pick<MessagesRequest, 'model' | 'thinking'>,
  secretStore: SecretStore,
): void {
  for (const { blocks } of turns) {
    for (const { block, path } of blocks) {
      if (block.type === 'thinking' && !secretStore.signed(block.signature, THINKING, model, block.thinking)) {
        throw invalidMessages(`${path}: Invalid \`signature\` in \`thinking\` block`);
      }
      if (block.type === 'redacted_thinking' && secretStore.decrypt(REDACTED, block.data) === undefined) {
        throw invalidMessages(`${path}: Invalid \`data\` in \`redacted_thinking\` block`);
      }
    }
  }
  if (thinking?.type !== 'enabled') return;
  const loop = turns.at(-1)?.blocks.some(({ block }) => block.type === 'tool_result') === true;
  const first = loop ? turns.at(-2)?.blocks[0] : undefined;
  if (first === undefined || first.block.type === 'thinking' || first.block.type === 'redacted_thinking') return;
  throw invalidMessages(
    `${first.path}.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${first.block.type}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceeding the lastmost set of \`tool_use\` and \`tool_result\` blocks). We recommend you include thinking blocks from previous turns. To avoid this requirement, disable \`thinking\`. Please consult our documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking`,
  );
}

export function checkTurns(
  request: Pick<MessagesRequest, 'messages' | 'model' | 'thinking'>,
  secretStore: SecretStore,
): void {
  checkNotEmpty(request.messages);
  const turns = merged(request.messages);
  checkRoles(turns);
  checkToolTurns(turns);
  checkThinking(turns, request, secretStore);
}

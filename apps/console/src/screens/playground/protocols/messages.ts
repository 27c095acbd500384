import {
  checkError,
  type Effort,
  emptyReply,
  isObject,
  numberOf,
  objectAt,
  objectsIn,
  parseArgs,
  present,
  type Reply,
  splitDataUrl,
  type TextProtocol,
  textOf,
  type Tool,
  type Turn,
} from './text-protocol.ts';

const ID = 'messages';
/** The protocol requires a limit. */
const DEFAULT_MAX_TOKENS = 4_096;
/** Tokens of reasoning, in addition to those of the response. */
const BUDGETS: Readonly<Record<Exclude<Effort, ''>, number>> = { low: 1_024, medium: 4_096, high: 16_384 };

/** `POST /v1/messages`. */
export const messages: TextProtocol = {
  id: ID,
  title: 'Messages',
  createRequest: ({ model, system, stream, effort, maxTokens = DEFAULT_MAX_TOKENS, temperature, tools }, turns) => {
    const budget = effort === '' ? undefined : BUDGETS[effort];
    return {
      method: 'POST',
      path: '/v1/messages',
      headers: { 'anthropic-version': '2023-06-01' },
      json: present({
        model,
        max_tokens: maxTokens + (budget ?? 0),
        system,
        messages: turns.map(messageOf),
        stream: stream || undefined,
        temperature,
        thinking: budget === undefined ? undefined : { type: 'enabled', budget_tokens: budget },
        tools: tools.length === 0 ? undefined : tools.map(toolOf),
      }),
    };
  },
  createReader: () => {
    const reply = emptyReply();
    const blocks: Record<string, unknown>[] = [];
    return {
      reply,
      event: (data) => {
        checkError(data);
        readEvent(reply, blocks, data);
      },
      body: (data) => {
        readUsage(reply, objectAt(data, 'usage'));
        readBlocks(reply, objectsIn(isObject(data) ? data['content'] : []));
        reply.finish = isObject(data) ? textOf(data['stop_reason']) : undefined;
      },
    };
  },
};

function toolOf({ name, description, parameters = { type: 'object' } }: Tool) {
  return present({ name, description, input_schema: parameters });
}

function messageOf(turn: Turn): Record<string, unknown> {
  switch (turn.role) {
    case 'user': {
      if (turn.images.length === 0) return { role: 'user', content: turn.text };
      const images = turn.images.map((url) => {
        const { type, data } = splitDataUrl(url);
        return { type: 'image', source: { type: 'base64', media_type: type, data } };
      });
      return { role: 'user', content: [...images, ...(turn.text === '' ? [] : [{ type: 'text', text: turn.text }])] };
    }
    case 'assistant': {
      const { text, toolCalls, native } = turn.reply;
      if (native?.protocol === ID) return { role: 'assistant', content: native.value };
      const calls = toolCalls.map(({ id, name, args }) => ({ type: 'tool_use', id, name, input: parseArgs(args) }));
      return { role: 'assistant', content: [...(text === '' ? [] : [{ type: 'text', text }]), ...calls] };
    }
    case 'tool': {
      const results = turn.results.map(({ call, output }) => ({
        type: 'tool_result',
        tool_use_id: call.id,
        content: output,
      }));
      return { role: 'user', content: results };
    }
  }
}

function readEvent(reply: Reply, blocks: Record<string, unknown>[], data: unknown): void {
  if (!isObject(data)) return;
  const at = numberOf(data['index']) ?? 0;
  switch (data['type']) {
    case 'message_start':
      return readUsage(reply, objectAt(objectAt(data, 'message'), 'usage'));
    case 'content_block_start':
      blocks[at] = { ...objectAt(data, 'content_block') };
      break;
    case 'content_block_delta':
      appendDelta((blocks[at] ??= {}), objectAt(data, 'delta'));
      break;
    case 'message_delta':
      readUsage(reply, objectAt(data, 'usage'));
      reply.finish = textOf(objectAt(data, 'delta')['stop_reason']) || reply.finish;
      return;
    default:
      return;
  }
  readBlocks(reply, blocks.filter(isObject));
}

const DELTA_FIELDS = ['text', 'thinking', 'signature', 'partial_json'] as const;

function appendDelta(block: Record<string, unknown>, delta: Record<string, unknown>): void {
  for (const field of DELTA_FIELDS) {
    if (typeof delta[field] === 'string') block[field] = textOf(block[field]) + delta[field];
  }
}

function readBlocks(reply: Reply, blocks: readonly Record<string, unknown>[]): void {
  const joined = (field: string) => blocks.map((block) => textOf(block[field])).join('');
  reply.text = joined('text');
  reply.reasoning = joined('thinking');
  reply.toolCalls = blocks
    .filter(({ type }) => type === 'tool_use')
    .map(({ id, name, input, partial_json: json }) => ({
      id: textOf(id),
      name: textOf(name),
      args: typeof json === 'string' ? json : JSON.stringify(input ?? {}),
    }));
  reply.native = { protocol: ID, value: blocks.map(completeBlock) };
}

/** Arguments of a streamed tool call arrive as text. */
function completeBlock({ partial_json: json, ...block }: Record<string, unknown>): Record<string, unknown> {
  return typeof json === 'string' ? { ...block, input: parseArgs(json) } : block;
}

function readUsage(reply: Reply, usage: Record<string, unknown>): void {
  const input = numberOf(usage['input_tokens']) ?? reply.usage?.input;
  const output = numberOf(usage['output_tokens']) ?? reply.usage?.output;
  if (input !== undefined || output !== undefined) reply.usage = { input, output };
}

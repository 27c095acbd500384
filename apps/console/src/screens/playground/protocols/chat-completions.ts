import {
  checkError,
  emptyReply,
  numberOf,
  objectAt,
  objectsIn,
  present,
  type Reply,
  type TextProtocol,
  textOf,
  type Tool,
  type Turn,
} from './text-protocol.ts';

/** `POST /v1/chat/completions`. */
export const chatCompletions: TextProtocol = {
  id: 'chat',
  title: 'Chat completions',
  createRequest: ({ model, system, stream, effort, maxTokens, temperature, tools }, turns) => ({
    method: 'POST',
    path: '/v1/chat/completions',
    json: present({
      model,
      messages: [...(system === '' ? [] : [{ role: 'system', content: system }]), ...turns.flatMap(messagesOf)],
      stream: stream || undefined,
      stream_options: stream ? { include_usage: true } : undefined,
      max_completion_tokens: maxTokens,
      temperature,
      reasoning_effort: effort,
      tools: tools.length === 0 ? undefined : tools.map(functionOf),
    }),
  }),
  createReader: () => {
    const reply = emptyReply();
    return {
      reply,
      event: (data) => {
        checkError(data);
        readChunk(reply, data);
      },
      body: (data) => readBody(reply, data),
    };
  },
};

function functionOf({ name, description, parameters }: Tool) {
  return { type: 'function', function: present({ name, description, parameters }) };
}

function messagesOf(turn: Turn): Record<string, unknown>[] {
  switch (turn.role) {
    case 'user':
      return [{ role: 'user', content: turn.images.length === 0 ? turn.text : partsOf(turn) }];
    case 'assistant': {
      const { text, toolCalls } = turn.reply;
      const calls = toolCalls.map(({ id, name, args }) => ({
        id,
        type: 'function',
        function: { name, arguments: args },
      }));
      return [{ role: 'assistant', content: text, ...(calls.length > 0 && { tool_calls: calls }) }];
    }
    case 'tool':
      return turn.results.map(({ call, output }) => ({ role: 'tool', tool_call_id: call.id, content: output }));
  }
}

function partsOf({ text, images }: { text: string; images: readonly string[] }) {
  const pictures = images.map((url) => ({ type: 'image_url', image_url: { url } }));
  return text === '' ? pictures : [{ type: 'text', text }, ...pictures];
}

function readChunk(reply: Reply, data: unknown): void {
  readUsage(reply, data);
  const [choice] = objectsIn(objectAt({ data }, 'data')['choices']);
  if (!choice) return;
  const delta = objectAt(choice, 'delta');
  reply.text += textOf(delta['content']) + textOf(delta['refusal']);
  reply.reasoning += textOf(delta['reasoning_content']) || textOf(delta['reasoning']);
  for (const part of objectsIn(delta['tool_calls'])) {
    const at = numberOf(part['index']) ?? 0;
    const call = (reply.toolCalls[at] ??= { id: '', name: '', args: '' });
    const { name, arguments: args } = objectAt(part, 'function');
    call.id ||= textOf(part['id']);
    call.name += textOf(name);
    call.args += textOf(args);
  }
  reply.finish = textOf(choice['finish_reason']) || reply.finish;
}

function readBody(reply: Reply, data: unknown): void {
  readUsage(reply, data);
  const [choice] = objectsIn(objectAt({ data }, 'data')['choices']);
  const message = objectAt(choice, 'message');
  reply.text = textOf(message['content']) + textOf(message['refusal']);
  reply.reasoning = textOf(message['reasoning_content']) || textOf(message['reasoning']);
  reply.toolCalls = objectsIn(message['tool_calls']).map((call) => {
    const { name, arguments: args } = objectAt(call, 'function');
    return { id: textOf(call['id']), name: textOf(name), args: textOf(args) };
  });
  reply.finish = textOf(choice?.['finish_reason']) || undefined;
}

function readUsage(reply: Reply, data: unknown): void {
  const usage = objectAt(data, 'usage');
  const [input, output] = [numberOf(usage['prompt_tokens']), numberOf(usage['completion_tokens'])];
  if (input !== undefined || output !== undefined) reply.usage = { input, output };
}

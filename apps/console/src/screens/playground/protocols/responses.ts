import {
  checkError,
  emptyReply,
  isObject,
  numberOf,
  objectAt,
  objectsIn,
  present,
  type Reply,
  type TextProtocol,
  textOf,
  type Turn,
} from './text-protocol.ts';

const ID = 'responses';

/** `POST /v1/responses`. Nothing is stored, so each request has the complete conversation. */
export const responses: TextProtocol = {
  id: ID,
  title: 'Responses',
  createRequest: ({ model, system, stream, effort, maxTokens, temperature, tools }, turns) => ({
    method: 'POST',
    path: '/v1/responses',
    json: present({
      model,
      instructions: system,
      input: turns.flatMap(itemsOf),
      stream: stream || undefined,
      store: false,
      max_output_tokens: maxTokens,
      temperature,
      reasoning: effort === '' ? undefined : { effort, summary: 'auto' },
      include: effort === '' ? undefined : ['reasoning.encrypted_content'],
      tools: tools.length === 0 ? undefined : tools.map((tool) => present({ type: 'function', ...tool })),
    }),
  }),
  createReader: () => {
    const reply = emptyReply();
    return { reply, event: (data) => readEvent(reply, data), body: (data) => readResponse(reply, data) };
  },
};

function itemsOf(turn: Turn): Record<string, unknown>[] {
  switch (turn.role) {
    case 'user': {
      const images = turn.images.map((url) => ({ type: 'input_image', image_url: url }));
      const text = turn.text === '' ? [] : [{ type: 'input_text', text: turn.text }];
      return [{ role: 'user', content: [...text, ...images] }];
    }
    case 'assistant': {
      const { text, toolCalls, native } = turn.reply;
      if (native?.protocol === ID) return objectsIn(native.value);
      const message = { role: 'assistant', content: [{ type: 'output_text', text }] };
      const calls = toolCalls.map(({ id, name, args }) => ({
        type: 'function_call',
        call_id: id,
        name,
        arguments: args,
      }));
      return [...(text === '' ? [] : [message]), ...calls];
    }
    case 'tool':
      return turn.results.map(({ call, output }) => ({ type: 'function_call_output', call_id: call.id, output }));
  }
}

function readEvent(reply: Reply, data: unknown): void {
  if (!isObject(data)) return;
  const { type, delta, item, response } = data;
  switch (type) {
    case 'response.output_text.delta':
    case 'response.refusal.delta':
      reply.text += textOf(delta);
      return;
    case 'response.reasoning_text.delta':
    case 'response.reasoning_summary_text.delta':
      reply.reasoning += textOf(delta);
      return;
    case 'response.output_item.added':
      if (isObject(item) && item['type'] === 'function_call') reply.toolCalls.push(callOf(item));
      return;
    case 'response.function_call_arguments.delta': {
      const call = reply.toolCalls.at(-1);
      if (call) call.args += textOf(delta);
      return;
    }
    case 'response.completed':
    case 'response.incomplete':
      readResponse(reply, response);
      return;
    case 'response.failed':
      return checkError(response);
    case 'error':
      throw new Error(textOf(data['message']) || textOf(objectAt(data, 'error')['message']) || 'The stream failed.');
  }
}

function joined(parts: unknown, field: string): string {
  return objectsIn(parts)
    .map((part) => textOf(part[field]))
    .join('');
}

function readResponse(reply: Reply, response: unknown): void {
  if (!isObject(response)) return;
  const output = objectsIn(response['output']);
  const ofType = (type: string) => output.filter((item) => item['type'] === type);
  reply.text = ofType('message')
    .map(({ content }) => joined(content, 'text') + joined(content, 'refusal'))
    .join('\n\n');
  reply.reasoning = ofType('reasoning')
    .map(({ summary, content }) => joined(summary, 'text') || joined(content, 'text'))
    .join('\n\n');
  reply.toolCalls = ofType('function_call').map(callOf);
  const reason = textOf(objectAt(response, 'incomplete_details')['reason']);
  reply.finish = reason || textOf(response['status']) || undefined;
  const usage = objectAt(response, 'usage');
  reply.usage = { input: numberOf(usage['input_tokens']), output: numberOf(usage['output_tokens']) };
  reply.native = { protocol: ID, value: output };
}

function callOf(item: Record<string, unknown>) {
  return { id: textOf(item['call_id']), name: textOf(item['name']), args: textOf(item['arguments']) };
}

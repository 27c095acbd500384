import type { ChatBody, MessagesBody } from './request-schemas.ts';

/**
 * The simplest translation between the chat and the messages protocol: text and sampling options, no tools or images.
 * It is the peer of Sluice's translation, which is complete.
 */
type Content = ChatBody['messages'][number]['content'];

const textOf = (content: Content): string =>
  typeof content === 'string'
    ? content
    : (content ?? []).map(({ text }) => (typeof text === 'string' ? text : '')).join('');

const isSystem = ({ role }: { role: string }) => role === 'system' || role === 'developer';

export function chatToMessages(body: ChatBody): object {
  return {
    model: body.model,
    max_tokens: body.max_completion_tokens ?? body.max_tokens ?? 4_096,
    system: body.messages
      .filter(isSystem)
      .map(({ content }) => textOf(content))
      .join('\n'),
    messages: body.messages
      .filter((message) => !isSystem(message))
      .map(({ role, content }) => ({ role, content: textOf(content) })),
    temperature: body.temperature,
    top_p: body.top_p,
    stop_sequences: typeof body.stop === 'string' ? [body.stop] : body.stop,
    stream: body.stream,
  };
}

export function messagesToChat(body: MessagesBody): object {
  const system = body.system === undefined ? [] : [{ role: 'system', content: textOf(body.system) }];
  return {
    model: body.model,
    messages: [...system, ...body.messages.map(({ role, content }) => ({ role, content: textOf(content) }))],
    max_tokens: body.max_tokens,
    temperature: body.temperature,
    top_p: body.top_p,
    stop: body.stop_sequences,
    stream: body.stream,
    stream_options: body.stream === true ? { include_usage: true } : undefined,
  };
}

const FINISH: Record<string, string> = { end_turn: 'stop', stop_sequence: 'stop', max_tokens: 'length' };
const STOP: Record<string, string> = { stop: 'end_turn', length: 'max_tokens' };
const usageOf = (input: number, output: number) => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
});
const nowSeconds = () => Math.floor(Date.now() / 1_000);

export function messagesToChatResponse(body: unknown): object {
  // The cast is safe because the benchmark's vendor returns this object.
  const message = body as Message & { content: { text: string }[]; stop_reason: string };
  const content = message.content.map(({ text }) => text).join('');
  return {
    id: `chatcmpl-${message.id}`,
    object: 'chat.completion',
    created: nowSeconds(),
    model: message.model,
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: FINISH[message.stop_reason] }],
    usage: usageOf(message.usage.input_tokens, message.usage.output_tokens),
  };
}

export function chatToMessagesResponse(body: unknown): object {
  // The cast is safe because the benchmark's vendor returns this object.
  const completion = body as Completion & { choices: { message: { content: string }; finish_reason: string }[] };
  const choice = completion.choices[0];
  return {
    id: `msg_${completion.id}`,
    type: 'message',
    role: 'assistant',
    model: completion.model,
    content: [{ type: 'text', text: choice?.message.content }],
    stop_reason: STOP[choice?.finish_reason ?? ''],
    stop_sequence: null,
    usage: { input_tokens: completion.usage.prompt_tokens, output_tokens: completion.usage.completion_tokens },
  };
}

interface Message {
  id: string;
  model: string;
  usage: { input_tokens: number; output_tokens: number };
}

interface Completion {
  id: string;
  model: string;
  usage: { prompt_tokens: number; completion_tokens: number };
}

/** Maps the data of one upstream event to the text that the client receives. */
export type EventMapper = (data: string) => string;

interface MessagesEvent {
  type: string;
  message?: Message;
  delta?: { text?: string; stop_reason?: string };
  usage?: { output_tokens: number };
}

/** Maps events of the messages protocol to events of the chat protocol. */
export function createChatEvents(): EventMapper {
  let id = '';
  let model = '';
  let input = 0;
  const created = nowSeconds();
  const chunk = (choices: object[], more?: object) =>
    `data: ${JSON.stringify({ id, object: 'chat.completion.chunk', created, model, choices, ...more })}\n\n`;
  const delta = (value: object, reason: string | null) => chunk([{ index: 0, delta: value, finish_reason: reason }]);
  return (data) => {
    const event = JSON.parse(data) as MessagesEvent; // The cast is safe because the benchmark's vendor sends it.
    if (event.type === 'content_block_delta') return delta({ content: event.delta?.text }, null);
    if (event.type === 'message_start') {
      id = `chatcmpl-${event.message?.id}`;
      model = event.message?.model ?? '';
      input = event.message?.usage.input_tokens ?? 0;
      return delta({ role: 'assistant', content: '' }, null);
    }
    if (event.type === 'message_delta') {
      const usage = usageOf(input, event.usage?.output_tokens ?? 0);
      return delta({}, FINISH[event.delta?.stop_reason ?? ''] ?? 'stop') + chunk([], { usage });
    }
    return event.type === 'message_stop' ? 'data: [DONE]\n\n' : '';
  };
}

interface ChatEvent extends Completion {
  choices: { delta: { content?: string }; finish_reason: string | null }[];
}

const encode = (type: string, more?: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`;

/** Maps events of the chat protocol to events of the messages protocol. */
export function createMessagesEvents(): EventMapper {
  let started = false;
  let reason = 'end_turn';
  return (data) => {
    if (data === '[DONE]') return encode('message_stop');
    const event = JSON.parse(data) as ChatEvent; // The cast is safe because the benchmark's vendor sends it.
    const choice = event.choices[0];
    let text = '';
    if (!started) {
      started = true;
      const usage = { input_tokens: 0, output_tokens: 0 };
      const message = {
        id: `msg_${event.id}`,
        type: 'message',
        role: 'assistant',
        model: event.model,
        content: [],
        usage,
      };
      text += encode('message_start', { message });
      text += encode('content_block_start', { index: 0, content_block: { type: 'text', text: '' } });
    }
    const content = choice?.delta.content ?? '';
    if (content !== '')
      text += encode('content_block_delta', { index: 0, delta: { type: 'text_delta', text: content } });
    if (typeof choice?.finish_reason === 'string') {
      reason = STOP[choice.finish_reason] ?? reason;
      text += encode('content_block_stop', { index: 0 });
    }
    if (choice) return text;
    const usage = { output_tokens: event.usage.completion_tokens };
    return text + encode('message_delta', { delta: { stop_reason: reason, stop_sequence: null }, usage });
  };
}

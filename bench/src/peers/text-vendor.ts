import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { announceReady } from '../subjects/requests.ts';

/**
 * A minimal text vendor with the chat and the messages protocol. It discards request bodies and always sends the same
 * text. The path selects how it responds: `/buffered` responds immediately, and `/chunks/N/MS` streams N chunks, MS
 * milliseconds apart. The path that a gateway appends (`/chat/completions` or `/v1/messages`) selects the protocol.
 */
const TEXT = 'The quick brown fox jumps over the lazy dog, again and again, until the benchmark has seen enough of it.';
const CHUNK_TEXT = 'the lazy dog ';

const CHAT = Buffer.from(
  JSON.stringify({
    id: 'chatcmpl-0123456789abcdef',
    object: 'chat.completion',
    created: 1_760_000_000,
    model: 'vendor-model-2026',
    choices: [{ index: 0, message: { role: 'assistant', content: TEXT, refusal: null }, finish_reason: 'stop' }],
    usage: {
      prompt_tokens: 210,
      completion_tokens: 24,
      total_tokens: 234,
      prompt_tokens_details: { cached_tokens: 0 },
    },
  }),
);
const MESSAGE = Buffer.from(
  JSON.stringify({
    id: 'msg_0123456789abcdef',
    type: 'message',
    role: 'assistant',
    model: 'vendor-model-2026',
    content: [{ type: 'text', text: TEXT }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 210, output_tokens: 24 },
  }),
);

interface Wire {
  buffered: Buffer;
  begin: string;
  chunk: string;
  end: string;
}

const chunk = (choices: unknown, more = {}) =>
  `data: ${JSON.stringify({ id: 'chatcmpl-0123456789abcdef', object: 'chat.completion.chunk', created: 1_760_000_000, model: 'vendor-model-2026', choices, ...more })}\n\n`;
const event = (type: string, more: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`;

const CHAT_WIRE: Wire = {
  buffered: CHAT,
  begin: chunk([{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }]),
  chunk: chunk([{ index: 0, delta: { content: CHUNK_TEXT }, finish_reason: null }]),
  end:
    chunk([{ index: 0, delta: {}, finish_reason: 'stop' }]) +
    chunk([], { usage: { prompt_tokens: 210, completion_tokens: 24, total_tokens: 234 } }) +
    'data: [DONE]\n\n',
};
const MESSAGES_WIRE: Wire = {
  buffered: MESSAGE,
  begin:
    event('message_start', {
      message: {
        id: 'msg_0123456789abcdef',
        type: 'message',
        role: 'assistant',
        model: 'vendor-model-2026',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 210, output_tokens: 1 },
      },
    }) + event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
  chunk: event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: CHUNK_TEXT } }),
  end:
    event('content_block_stop', { index: 0 }) +
    event('message_delta', { delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 24 } }) +
    event('message_stop', {}),
};

async function reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = request.url ?? '';
  const wire = url.includes('/messages') ? MESSAGES_WIRE : CHAT_WIRE;
  const [, count, pauseMs] = /\/chunks\/(\d+)\/(\d+)/.exec(url) ?? [];
  request.resume();
  if (count === undefined) {
    await new Promise((resolve) => request.once('end', resolve));
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': wire.buffered.byteLength });
    response.end(wire.buffered);
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(wire.begin);
  for (let left = Number(count); left > 0 && !response.destroyed; left -= 1) {
    if (Number(pauseMs) > 0) await sleep(Number(pauseMs));
    response.write(wire.chunk);
  }
  response.end(wire.end);
}

const server = createServer((request, response) => {
  reply(request, response).catch(() => response.destroy());
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  announceReady(typeof address === 'object' && address ? `http://127.0.0.1:${address.port}` : '');
});

import type { Socket } from 'node:net';
import { announceReady } from '../subjects/requests.ts';
import { servePlainHttp } from './plain-http-server.ts';

/**
 * A minimal text vendor with the chat and the messages protocol. It discards request bodies and always sends the same
 * text. The path selects how it responds: `/buffered` responds immediately, and `/chunks/N/MS` streams N chunks, MS
 * milliseconds apart. The path that a gateway appends (`/chat/completions` or `/v1/messages`) selects the protocol.
 */
const TEXT = 'The quick brown fox jumps over the lazy dog, again and again, until the benchmark has seen enough of it.';
const CHUNK_TEXT = 'the lazy dog ';

const CHAT = JSON.stringify({
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
});
const MESSAGE = JSON.stringify({
  id: 'msg_0123456789abcdef',
  type: 'message',
  role: 'assistant',
  model: 'vendor-model-2026',
  content: [{ type: 'text', text: TEXT }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 210, output_tokens: 24 },
});

/** The bytes of the responses, with headers and chunk sizes. */
interface Wire {
  buffered: Buffer;
  begin: Buffer;
  chunk: Buffer;
  end: Buffer;
}

const framed = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
const head = (type: string, more: string) => `HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\n${more}\r\n\r\n`;

function wireOf({ buffered, begin, chunk, end }: Record<keyof Wire, string>): Wire {
  return {
    buffered: Buffer.from(head('application/json', `content-length: ${Buffer.byteLength(buffered)}`) + buffered),
    begin: Buffer.from(head('text/event-stream', 'transfer-encoding: chunked') + framed(begin)),
    chunk: Buffer.from(framed(chunk)),
    end: Buffer.from(`${framed(end)}0\r\n\r\n`),
  };
}

const chatChunk = (choices: unknown, more = {}) =>
  `data: ${JSON.stringify({ id: 'chatcmpl-0123456789abcdef', object: 'chat.completion.chunk', created: 1_760_000_000, model: 'vendor-model-2026', choices, ...more })}\n\n`;
const event = (type: string, more: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`;

const CHAT_WIRE = wireOf({
  buffered: CHAT,
  begin: chatChunk([{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }]),
  chunk: chatChunk([{ index: 0, delta: { content: CHUNK_TEXT }, finish_reason: null }]),
  end:
    chatChunk([{ index: 0, delta: {}, finish_reason: 'stop' }]) +
    chatChunk([], { usage: { prompt_tokens: 210, completion_tokens: 24, total_tokens: 234 } }) +
    'data: [DONE]\n\n',
});
const MESSAGES_WIRE = wireOf({
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
});

function reply(path: string, socket: Socket): void {
  const wire = path.includes('/messages') ? MESSAGES_WIRE : CHAT_WIRE;
  const [, count, pauseMs] = /\/chunks\/(\d+)\/(\d+)/.exec(path) ?? [];
  if (count === undefined) socket.write(wire.buffered);
  else if (pauseMs === '0')
    socket.write(Buffer.concat([wire.begin, ...Array(Number(count)).fill(wire.chunk), wire.end]));
  else stream(wire, { count: Number(count), pauseMs: Number(pauseMs) }, socket);
}

function stream(wire: Wire, { count, pauseMs }: { count: number; pauseMs: number }, socket: Socket): void {
  let left = count;
  socket.write(wire.begin);
  const timer = setInterval(() => {
    left -= 1;
    if (left >= 0 && !socket.destroyed) socket.write(wire.chunk);
    if (left > 0 && !socket.destroyed) return;
    clearInterval(timer);
    socket.write(wire.end);
  }, pauseMs);
}

announceReady(await servePlainHttp(reply));

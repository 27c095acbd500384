import { setTimeout as sleep } from 'node:timers/promises';
import { SOAK_KEY } from './soak-stack.ts';

export interface Operation {
  name: string;
  /** Percentage of all operations. */
  share: number;
  /** @throws if a response is unexpected */
  run(origin: string, signal: AbortSignal): Promise<void>;
}

const HEADERS = {
  authorization: `Bearer ${SOAK_KEY}`,
  'content-type': 'application/json',
  'anthropic-version': '2023-06-01',
};
const messages = [{ role: 'user', content: 'Tell me of a kite over the sea, in a few words.' }];
const chat = (model: string, more = {}) => ({ model, messages, max_tokens: 100, ...more });

async function post(url: string, body: unknown, signal: AbortSignal, headers = {}): Promise<Response> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...HEADERS, ...headers },
    body: JSON.stringify(body),
    signal,
  });
  if (!response.ok) throw new Error(`${response.status} ${(await response.text()).slice(0, 200)}`);
  return response;
}

function posting(name: string, share: number, at: string, body: unknown): Operation {
  return {
    name,
    share,
    async run(origin, signal) {
      await (await post(origin + at, body, signal)).arrayBuffer();
    },
  };
}

async function disconnectEarly(origin: string, signal: AbortSignal): Promise<void> {
  const disconnect = new AbortController();
  const both = AbortSignal.any([signal, disconnect.signal]);
  const body = chat('sandbox-chat', { stream: true, messages: [{ role: 'user', content: '[slow:1] a long tale' }] });
  const response = post(`${origin}/v1/chat/completions`, body, both).then((stream) => stream.text());
  await sleep(50);
  disconnect.abort();
  await response.catch((error: unknown) => {
    if (!disconnect.signal.aborted) throw error;
  });
}

/** Creates a video, reads its events to the end, and downloads the file twice: completely, and a range of it. */
async function createVideo(origin: string, signal: AbortSignal): Promise<void> {
  const created = await post(`${origin}/v1/videos`, { model: 'sandbox-video', prompt: 'a kite', seconds: '1' }, signal);
  const { id } = (await created.json()) as { id: string }; // The cast is safe because a created video has an id.
  const headers = { authorization: HEADERS.authorization };
  const events = await fetch(`${origin}/v1/videos/${id}/events`, { headers, signal });
  const text = await events.text();
  if (!text.includes('completed')) throw new Error(`The video did not complete: ${text.slice(-200)}`);
  for (const range of [{}, { range: 'bytes=0-99' }]) {
    const file = await fetch(`${origin}/v1/videos/${id}/content`, { headers: { ...headers, ...range }, signal });
    if (!file.ok) throw new Error(`The download returned ${file.status}.`);
    await file.arrayBuffer();
  }
}

export const OPERATIONS: readonly Operation[] = [
  posting('chat, relayed', 22, '/v1/chat/completions', chat('sandbox-chat')),
  posting('messages, translated', 12, '/v1/messages', chat('sandbox-chat')),
  posting('responses, stored', 5, '/v1/responses', { model: 'sandbox-messages', input: 'a kite' }),
  posting('stream, relayed', 12, '/v1/chat/completions', chat('sandbox-chat', { stream: true })),
  posting('stream, translated', 10, '/v1/chat/completions', chat('sandbox-messages', { stream: true })),
  { name: 'stream, disconnected early', share: 6, run: disconnectEarly },
  posting('embeddings', 14, '/v1/embeddings', { model: 'sandbox-embedding', input: ['a kite', 'the sea'] }),
  posting('rerank', 4, '/v1/rerank', { model: 'sandbox-rerank', query: 'a kite', documents: ['a kite', 'a tree'] }),
  posting('speech', 4, '/v1/audio/speech', { model: 'sandbox-speech', input: 'a kite', voice: 'ash' }),
  posting('images', 3, '/v1/images/generations', { model: 'sandbox-image', prompt: 'a kite', size: '1024x1024' }),
  { name: 'video, events, download', share: 4, run: createVideo },
  {
    name: 'rejected',
    share: 4,
    async run(origin, signal) {
      const response = await fetch(`${origin}/v1/chat/completions`, {
        method: 'POST',
        headers: HEADERS,
        body: '{',
        signal,
      });
      await response.text();
      if (response.status !== 400) throw new Error(`Invalid JSON returned ${response.status}.`);
    },
  },
];

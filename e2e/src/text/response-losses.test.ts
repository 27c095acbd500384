import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { type LanguageModel, streamText } from 'ai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLIENTS } from './clients/index.ts';
import { collect } from './clients/collect.ts';
import { userTurn } from './conversation.ts';
import { KEY, startTextStack, type TextStack } from './text-stack.ts';

const chunk = (delta: object, finish_reason: string | null) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'cited-model',
  moderation: { id: 'modr-1' },
  choices: [{ index: 0, delta, finish_reason }],
});

/** A vendor whose streams have a citation, and a field that no other protocol has. */
function startVendor(): Server {
  const url_citation = { start_index: 0, end_index: 3, title: 'Example', url: 'https://example.com/a' };
  const chunks = [
    chunk({ role: 'assistant', content: 'See' }, null),
    chunk({ content: ' it.' }, null),
    chunk({ annotations: [{ type: 'url_citation', url_citation }] }, null),
    { ...chunk({}, 'stop'), usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 } },
  ];
  return createServer((request, response) => {
    request.resume().once('end', () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const one of chunks) response.write(`data: ${JSON.stringify(one)}\n\n`);
      response.end('data: [DONE]\n\n');
    });
  });
}

let vendor: Server;
let stack: TextStack;
beforeAll(async () => {
  vendor = startVendor();
  await new Promise<void>((resolve) => vendor.listen(0, '127.0.0.1', resolve));
  const { port } = vendor.address() as AddressInfo; // a TCP server's address is an object
  const base_url = `http://127.0.0.1:${port}/v1`;
  stack = await startTextStack({
    upstreams: { cited: { kind: 'chat-completions', base_url, api_key: 'sk-vendor' } },
    models: [{ id: 'cited', routes: [{ upstream: 'cited', model: 'cited-model' }] }],
  });
});
afterAll(async () => {
  await stack.close();
  vendor.closeAllConnections();
  vendor.close();
});

describe('a stream whose losses are in a trailer', () => {
  it.each(CLIENTS)('is read by $name', async (kind) => {
    const client = kind.open({ origin: stack.origin, key: KEY, maxRetries: 0 });
    const request = { model: 'cited', turns: [userTurn('hello')] };
    const streamed = await client.stream(request);
    expect(streamed).toMatchObject({ text: 'See it.', finish: 'stop' });
    expect(JSON.stringify(streamed.frames)).toContain('https://example.com/a');
    expect((await collect(client.iterate(request))).length).toBeGreaterThan(0);
  });

  const AI_SDK: readonly [provider: string, open: () => LanguageModel][] = [
    ['openai', () => createOpenAI({ baseURL: `${stack.origin}/v1`, apiKey: KEY }).responses('cited')],
    ['google', () => createGoogleGenerativeAI({ baseURL: `${stack.origin}/v1beta`, apiKey: KEY }).chat('cited')],
  ];

  it.each(AI_SDK)('is read by the AI SDK for %s, which shows the citation', async (_provider, open) => {
    const result = streamText({ model: open(), prompt: 'hello', maxRetries: 0 });
    expect(await result.text).toBe('See it.');
    expect(await result.sources).toMatchObject([{ sourceType: 'url', url: 'https://example.com/a' }]);
  });

  it('is read by fetch', async () => {
    const response = await fetch(`${stack.origin}/v1/messages`, {
      method: 'POST',
      headers: { 'x-api-key': KEY, 'anthropic-version': '2023-06-01', 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'cited',
        max_tokens: 9,
        stream: true,
        messages: [{ role: 'user', content: 'hi' }],
      }),
    });
    expect(response.headers.get('trailer')).toBe('x-sluice-dropped');
    expect((await response.text()).trimEnd()).toMatch(/message_stop"\}$/);
  });
});

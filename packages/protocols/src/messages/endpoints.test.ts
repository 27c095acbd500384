import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Anthropic, { APIError } from '@anthropic-ai/sdk';
import { type ContentBlock, GatewayError, type GenerationRequest, type StreamEvent } from '@sluice/canonical';
import { afterEach, describe, expect, it } from 'vitest';
import { createTokenCodec } from '../text/token-codec.ts';
import type { ResponseContext } from '../contracts/text-protocol.ts';
import { messagesEndpoints } from './endpoints.ts';
import { messagesProtocol } from './protocol.ts';

const request: GenerationRequest = {
  protocol: 'messages',
  model: 'client-model',
  stream: true,
  messages: [],
  tools: [],
  reasoning: { adaptive: true },
};
const context: ResponseContext = {
  request,
  body: {},
  createdAt: 0,
  newId: (prefix) => `${prefix}new`,
  tokenCodec: createTokenCodec('secret'),
};
const THOUGHT: ContentBlock = { type: 'reasoning', text: ['Hm 你'], isSummary: false };
const TEXT: ContentBlock = { type: 'text', text: 'Hello' };
const CALL: ContentBlock = { type: 'tool-call', callId: 'c', name: 'run', kind: 'function', arguments: '{"a":1}' };
const EVENTS: StreamEvent[] = [
  { type: 'start', id: 'x', model: 'gpt-x' },
  { type: 'block-start', choice: 0, head: { type: 'reasoning', isSummary: false } },
  { type: 'delta', choice: 0, text: 'Hm 你' },
  { type: 'block-end', choice: 0, block: THOUGHT },
  { type: 'ping' },
  { type: 'block-start', choice: 0, head: { type: 'text' } },
  { type: 'delta', choice: 0, text: 'Hello' },
  { type: 'block-end', choice: 0, block: TEXT },
  { type: 'block-start', choice: 0, head: { ...CALL } },
  { type: 'block-end', choice: 0, block: CALL },
  { type: 'finish', choice: 0, finish: 'tool_calls' },
  { type: 'usage', usage: { inputTokens: 10, outputTokens: 4 } },
  { type: 'end' },
];
const PARAMS = { model: 'client-model', max_tokens: 10, messages: [{ role: 'user' as const, content: 'Hi' }] };

let server: Server | undefined;
afterEach(() => {
  server?.close();
  server?.closeAllConnections();
});

/** Creates a client of the published SDK for a local server with a fixed response. */
async function client(status: number, type: string, body: string): Promise<Anthropic> {
  server = createServer((_request, response) => {
    response.writeHead(status, { 'content-type': type }).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // The cast is safe because the server listens on TCP.
  return new Anthropic({ apiKey: 'k', baseURL: `http://127.0.0.1:${port}`, maxRetries: 0 });
}

describe('the messages protocol with the published SDK', () => {
  it('streams a response', async () => {
    const encoder = messagesProtocol.encodeStream(context);
    const text = EVENTS.map((event) => encoder.push(event)).join('');
    const sdk = await client(200, 'text/event-stream', text);
    const message = await sdk.messages.stream(PARAMS).finalMessage();
    expect(message).toMatchObject({
      id: 'msg_new',
      model: 'client-model',
      content: [
        { type: 'thinking', thinking: 'Hm 你', signature: expect.stringMatching(/^R1cx/) },
        { type: 'text', text: 'Hello' },
        { type: 'tool_use', id: 'c', name: 'run', input: { a: 1 } },
      ],
      stop_reason: 'tool_use',
      usage: { input_tokens: 10, output_tokens: 4 },
    });
  });

  it('ends a broken stream with an error that the SDK throws', async () => {
    const encoder = messagesProtocol.encodeStream(context);
    const frames = EVENTS.slice(0, 3).map((event) => encoder.push(event));
    const text = frames.join('') + encoder.fail(new GatewayError('provider_overloaded', 'Busy.'));
    const sdk = await client(200, 'text/event-stream', text);
    await expect(sdk.messages.stream(PARAMS).finalMessage()).rejects.toThrow('Busy.');
  });

  it('returns a complete response', async () => {
    const body = messagesProtocol.encodeResponse(
      { id: 'x', model: 'gpt-x', choices: [{ content: [THOUGHT, TEXT, CALL], finish: 'tool_calls' }] },
      context,
    );
    const sdk = await client(200, 'application/json', JSON.stringify(body));
    const message = await sdk.messages.create(PARAMS);
    expect(message.content.map(({ type }) => type)).toEqual(['thinking', 'text', 'tool_use']);
  });

  it('returns an error that the SDK maps to its own class', async () => {
    const error = messagesProtocol.encodeError(new GatewayError('rate_limited', 'Slow down.'), 'req_1');
    const sdk = await client(429, 'application/json', JSON.stringify(error));
    const refused: unknown = await sdk.messages.create(PARAMS).catch((thrown: unknown) => thrown);
    expect(refused).toBeInstanceOf(Anthropic.RateLimitError);
    expect(refused instanceof APIError && refused.error).toEqual(error);
  });
});

it('accepts both credentials and documents the required header', () => {
  expect(messagesEndpoints.map(({ method, path, action }) => [method, path, action])).toEqual([
    ['POST', '/v1/messages', 'text.generate'],
    ['POST', '/v1/messages/count_tokens', 'text.count-tokens'],
  ]);
  for (const { credentials, headers } of messagesEndpoints) {
    expect(credentials).toEqual(['x-api-key', 'bearer']);
    expect(headers).toHaveProperty('messages-version');
  }
});

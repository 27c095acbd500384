import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLIENTS } from './clients/index.ts';
import type { Turn } from './clients/text-client.ts';
import { failureOf, testCloudText } from './cloud-text.ts';
import { callOf, modelTurn, TOOLS, toolTurn, uniqueWord, userTurn } from './conversation.ts';
import { WRAPPED_TOKEN } from './native-tokens.ts';
import { PIXEL } from './pairs.ts';
import { KEY, startTextStack, type TextStack } from './text-stack.ts';

const route = (model: string, upstream = 'vendor') => ({ routes: [{ upstream, model }] });
const sending = (words: string) => ({ model: 'claude', turns: [userTurn(`${words} ${uniqueWord()}`)] });

let stack: TextStack;
beforeAll(async () => {
  const base_url = '${SLUICE_SANDBOX_URL}/bedrock';
  const pair = { kind: 'bedrock', base_url, access_key: 'ak-sandbox', secret_key: 'sk-sandbox' };
  const vendor = { kind: 'bedrock', base_url, api_key: 'sk-sandbox' };
  stack = await startTextStack({
    routing: { failures: 1_000 },
    upstreams: { vendor, pair, wrong: { ...pair, secret_key: 'sk-wrong' } },
    models: [
      { id: 'claude', ...route('us.anthropic.claude-sonnet-4-5-20250929-v1:0') },
      { id: 'nova', ...route('amazon.nova-2-lite-v1:0') },
      { id: 'signed', ...route('us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'pair') },
      { id: 'wrong', ...route('amazon.nova-lite-v1:0', 'wrong') },
    ],
  });
});
afterAll(() => stack.close());

describe.each(CLIENTS)('Bedrock for $name', (kind) => {
  const open = (maxRetries?: number) => kind.open({ origin: stack.origin, key: KEY, maxRetries });

  testCloudText(kind, open, ['claude', 'nova']);

  it('streams a long text with usage', async () => {
    const streamed = await open().stream({ model: 'claude', turns: [userTurn('[long:40]')] });
    expect(streamed.chunks.length).toBeGreaterThan(5);
    expect(streamed).toMatchObject({ finish: 'stop', usage: { input: 1, output: 40 } });
    expect(streamed.text).toMatch(/^word1 .* word40$/);
  });

  it.each(['create', 'stream'] as const)('calls tools and returns reasoning over three turns (%s)', async (way) => {
    const client = open();
    const word = uniqueWord();
    const turns: Turn[] = [];
    for (const directive of ['[think]', '[redacted]', '[think]']) {
      turns.push(userTurn(`${directive} [tool:get_weather] [tool:show_map] ${word}`));
      const request = { model: 'claude', think: true, tools: TOOLS };
      const reply = await client[way]({ ...request, turns });
      expect([reply.finish, reply.calls.map(({ name }) => name)]).toEqual(['tools', ['get_weather', 'show_map']]);
      turns.push(
        modelTurn(reply),
        toolTurn(
          { call: callOf(reply, 'get_weather'), text: 'closed', isError: true },
          { call: callOf(reply, 'show_map'), text: 'a map', image: PIXEL },
        ),
      );
      const answer = await client[way]({ ...request, turns });
      expect(answer.text).toMatch(/^The tool get_weather (failed|answered): .*closed[^]*show_map answered: a map/);
      turns.push(modelTurn(answer));
    }
    const sent = await stack.seen(word);
    expect(sent.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    const last = JSON.stringify(sent.at(-1)?.body);
    expect(last).not.toContain(WRAPPED_TOKEN);
    // Without visible signatures in its protocol, a client's reasoning is stored by the gateway, if at all.
    if (kind.protocol === 'messages' || kind.protocol === 'responses') {
      expect(last.split('"signature"').length - 1).toBeGreaterThanOrEqual(2);
      expect(last).toContain('"redactedContent"');
    }
  });

  it('stops at a stop sequence, and at the token limit', async () => {
    const request = { model: 'claude', turns: [userTurn('[long:30]')] };
    expect(await open().create({ ...request, maxTokens: 5 })).toMatchObject({ finish: 'length' });
    if (kind.protocol === 'responses') return;
    const reply = await open().stream({ ...request, stop: [' word4'] });
    expect(reply.text).toBe('word1 word2 word3');
    expect(reply.finish).toBe(kind.protocol === 'messages' ? 'stop_sequence' : 'stop');
  });

  it('reports the vendor’s errors, before and inside a stream', async () => {
    const client = open(0);
    for (const word of ['[error]', '[cut]', '[500]', '[overloaded]', '[garbage]', '[401]'])
      expect([word, await failureOf(client, client.create(sending(word)))]).toEqual([word, 'server']);
    const words = 'one two three four five six seven eight nine';
    for (const word of ['[error]', '[cut]'])
      expect([word, await failureOf(client, client.stream(sending(`${word} ${words}`)))]).toEqual([word, 'in-stream']);
    expect(await failureOf(client, client.create(sending('[context]')))).toBe('bad-request');
    expect(await failureOf(client, client.stream(sending('[429]')))).toBe('rate-limit');
  });

  it('signs requests, which Bedrock verifies', async () => {
    const text = 'Grüße ' + uniqueWord();
    const request = { model: 'signed', turns: [userTurn(text, PIXEL)] };
    for (const reply of [await open().create(request), await open().stream(request)])
      expect(reply.text).toBe(`You said: ${text}\nI see 1 image.`);
    const client = open(0);
    expect(await failureOf(client, client.create({ ...request, model: 'wrong' }))).toBe('server');
  });
});

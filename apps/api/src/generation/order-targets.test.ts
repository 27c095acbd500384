import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ScriptedUpstream, scriptedUpstream, sendJson, type TextRig, textRig } from '../../test/text-rig.ts';
import { respondWith, vendorConfig } from '../../test/vendor.ts';

let upstream: ScriptedUpstream;
let rig: TextRig;
/** Path of the unavailable upstream. */
let unavailablePath: string;
/** How far the API's clock is ahead, in milliseconds. */
let aheadMs: number;
beforeEach(async () => {
  aheadMs = 0;
  unavailablePath = '/messages/';
  const respond = respondWith('hello');
  upstream = await scriptedUpstream((request, response) => {
    if (request.path.startsWith(unavailablePath)) sendJson(response, 503, { error: { message: 'busy' } });
    else respond(request, response);
  });
  const { upstreams, models } = vendorConfig(upstream.url);
  const routes = ['messages', 'generative-content'].map((name) => ({ upstream: name, model: 'theirs' }));
  const config = {
    upstreams,
    models: [...models, { id: 'twice', routes }],
    routing: { failures: 50, open_ms: 60_000 },
  };
  rig = await textRig(config, { now: () => Date.now() + aheadMs });
});
afterEach(async () => {
  await rig.close();
  await upstream.close();
});

const model = 'twice';
const messages = [{ role: 'user', content: 'hi' }];
const CALLS: [name: string, at: string, body: object][] = [
  ['a response', '/v1/responses', { input: messages }],
  ['a compaction', '/v1/responses/compact', { input: messages }],
  ['a triggered compaction', '/v1/responses', { input: [...messages, { type: 'compaction_trigger' }] }],
  ['a count', '/v1/responses/input_tokens', { input: messages }],
  ['a legacy completion', '/v1/completions', { prompt: 'hi' }],
];

/** Returns the called upstreams in order. */
function calledUpstreams(): string[] {
  return upstream.requests.splice(0).map(({ path }) => path.split('/')[1] ?? '');
}

describe.each(CALLS)('%s', (_name, at, body) => {
  it('continues at the upstream of its conversation', async () => {
    const [, first = '', firstBody = {}] =
      CALLS.find(([, path]) => path === (at.includes('completions') ? at : CALLS[0]?.[1])) ?? [];
    await rig.post(first, { model, ...firstBody });
    expect(calledUpstreams()).toEqual(['messages', 'generative-content']);
    // The first upstream is available again, but only the second has served the conversation.
    unavailablePath = '/none/';
    expect((await rig.post(at, { model, ...body })).status).toBe(200);
    await expect.poll(() => upstream.requests).toHaveLength(1);
    expect(calledUpstreams()).toEqual(['generative-content']);
  });
});

describe.each(CALLS.filter(([name]) => !name.includes('count')))('%s', (_name, at, body) => {
  it('keeps its conversation at the upstream that served it', async () => {
    expect((await rig.post(at, { model, ...body })).status).toBe(200);
    await expect.poll(() => upstream.requests).toHaveLength(2);
    expect(calledUpstreams()).toEqual(['messages', 'generative-content']);
    const next = await rig.post(at, { model, ...body });
    expect(next.status).toBe(200);
    await expect.poll(() => upstream.requests).toHaveLength(1);
    expect(calledUpstreams()).toEqual(['generative-content']);
  });
});

it('does not move a conversation for a token count', async () => {
  for (const input of [messages, messages]) await rig.post('/v1/responses/input_tokens', { model, input });
  expect(calledUpstreams()).toEqual(['messages', 'generative-content', 'messages', 'generative-content']);
});

describe('after the first choice has recovered', () => {
  const system = { role: 'system', content: 'Be brief.' };
  const chat = (...turns: object[]) => rig.post('/v1/chat/completions', { model, messages: [system, ...turns] });
  const [user] = messages;

  beforeEach(async () => {
    expect((await chat(user ?? {})).status).toBe(200);
    expect(calledUpstreams()).toEqual(['messages', 'generative-content']);
    unavailablePath = '/none/';
  });

  it('sends other conversations with the same system prompt to it at once', async () => {
    await chat({ role: 'user', content: 'Another question' });
    expect(calledUpstreams()).toEqual(['messages']);
  });

  it('returns the conversation to it when its failure is older than the open time', async () => {
    await chat(user ?? {});
    expect(calledUpstreams()).toEqual(['generative-content']);
    aheadMs = 60_000;
    await chat(user ?? {});
    expect(calledUpstreams()).toEqual(['messages']);
  });

  it('returns the conversation to it when it served another one', async () => {
    await chat({ role: 'user', content: 'Another question' });
    await chat(user ?? {});
    expect(calledUpstreams()).toEqual(['messages', 'messages']);
  });

  it('leaves a conversation with stored reasoning at the fallback', async () => {
    aheadMs = 60_000;
    const call = { id: 'call_1', type: 'function', function: { name: 'f', arguments: '{}' } };
    const turns = [user ?? {}, { role: 'assistant', tool_calls: [call] }];
    await chat(...turns, { role: 'tool', tool_call_id: 'call_1', content: 'done' });
    expect(calledUpstreams()).toEqual(['generative-content']);
  });

  it('shows the pinned conversations as a metric', async () => {
    expect(await rig.metrics.render()).toContain('sluice_affinity_pins{upstream="generative-content"} 1');
    aheadMs = 60_000;
    await chat(user ?? {});
    expect(await rig.metrics.render()).toContain('sluice_affinity_pins{upstream="generative-content"} 0');
  });
});

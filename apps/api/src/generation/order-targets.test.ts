import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ScriptedUpstream, scriptedUpstream, sendJson, type TextRig, textRig } from '../../test/text-rig.ts';
import { says, vendorConfig } from '../../test/vendor.ts';

let upstream: ScriptedUpstream;
let rig: TextRig;
/** Path of the unavailable upstream. */
let ill: string;
beforeEach(async () => {
  ill = '/messages/';
  const talk = says('hello');
  upstream = await scriptedUpstream((request, response) => {
    if (request.path.startsWith(ill)) sendJson(response, 503, { error: { message: 'busy' } });
    else talk(request, response);
  });
  const { upstreams, models } = vendorConfig(upstream.url);
  const routes = ['messages', 'generative-content'].map((name) => ({ upstream: name, model: 'theirs' }));
  rig = await textRig({ upstreams, models: [...models, { id: 'twice', routes }], routing: { failures: 50 } });
});
afterEach(async () => {
  await rig.close();
  await upstream.close();
});

const model = 'twice';
const messages = [{ role: 'user', content: 'hi' }];
const CALLS: [name: string, at: string, body: object][] = [
  ['an answer', '/v1/responses', { input: messages }],
  ['an answer in the background', '/v1/responses', { input: messages, background: true }],
  ['a compaction', '/v1/responses/compact', { input: messages }],
  ['a triggered compaction', '/v1/responses', { input: [...messages, { type: 'compaction_trigger' }] }],
  ['a count', '/v1/responses/input_tokens', { input: messages }],
  ['a legacy completion', '/v1/completions', { prompt: 'hi' }],
];

/** The called upstreams, in order. */
function asked(): string[] {
  return upstream.requests.splice(0).map(({ path }) => path.split('/')[1] ?? '');
}

describe.each(CALLS)('%s', (_name, at, body) => {
  it('continues at the upstream of its conversation', async () => {
    const [, first = '', firstBody = {}] =
      CALLS.find(([, path]) => path === (at.includes('completions') ? at : CALLS[0]?.[1])) ?? [];
    await rig.post(first, { model, ...firstBody });
    expect(asked()).toEqual(['messages', 'generative-content']);
    // The first upstream is available, but has no state of the conversation.
    ill = '/none/';
    expect((await rig.post(at, { model, ...body })).status).toBe(200);
    await expect.poll(() => upstream.requests).toHaveLength(1);
    expect(asked()).toEqual(['generative-content']);
  });
});

describe.each(CALLS.filter(([name]) => !name.includes('count')))('%s', (_name, at, body) => {
  it('keeps its conversation at the upstream that served it', async () => {
    expect((await rig.post(at, { model, ...body })).status).toBe(200);
    await expect.poll(() => upstream.requests).toHaveLength(2);
    expect(asked()).toEqual(['messages', 'generative-content']);
    const next = await rig.post(at, { model, ...body });
    expect(next.status).toBe(200);
    await expect.poll(() => upstream.requests).toHaveLength(1);
    expect(asked()).toEqual(['generative-content']);
  });
});

it('does not move a conversation for a token count', async () => {
  for (const input of [messages, messages]) await rig.post('/v1/responses/input_tokens', { model, input });
  expect(asked()).toEqual(['messages', 'generative-content', 'messages', 'generative-content']);
});

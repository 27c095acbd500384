import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { KEYS } from '../../test/api-rig.ts';
import { expectRefusal } from '../../test/refusal.ts';
import { ROUTES } from '../../test/text-routes.ts';
import { type ScriptedUpstream, scriptedUpstream, type TextRig, textRig } from '../../test/text-rig.ts';
import { respondWith, vendorConfig } from '../../test/vendor.ts';

const BOUND = 'sk-bound-key';
const PAYING = 'sk-paying-key';

let upstream: ScriptedUpstream;
let rig: TextRig;
beforeAll(async () => {
  upstream = await scriptedUpstream(respondWith('hello'));
  const keys = [
    { name: 'alice', key: KEYS.alice },
    { name: 'bound', key: BOUND, models: ['by-*'] },
    { name: 'paying', key: PAYING, budget: { usd: 5, period: 'day' } },
  ];
  rig = await textRig({ ...vendorConfig(upstream.url), keys });
});
afterAll(async () => {
  await rig.close();
  await upstream.close();
});
beforeEach(() => {
  upstream.requests.length = 0;
});

const imageTool = { type: 'image_generation', model: 'gpt-image-1' };

/** The route, the fields added to a minimal body, and the rejected field. */
const OTHERS: [name: string, members: Record<string, unknown>, param: string][] = [
  ['chat completions', { models: ['dear/model'] }, 'models'],
  ['responses', { models: ['dear/model'] }, 'models'],
  ['messages', { models: ['dear/model'] }, 'models'],
  ['chat completions', { fallbacks: ['dear/model'] }, 'fallbacks'],
  ['responses', { tools: [{ type: 'web_search' }, imageTool] }, 'tools[1][model]'],
  ['responses', { tools: [{ type: 'namespace', name: 'n', tools: [imageTool] }] }, 'tools[0][tools][0][model]'],
  ['responses', { input: [{ type: 'additional_tools', tools: [imageTool] }] }, 'input[0][tools][0][model]'],
  ['messages', { tools: [{ type: 'advisor', name: 'advisor', model: 'dear-model' }] }, 'tools[0][model]'],
  ['compaction', { tools: [imageTool] }, 'tools[0][model]'],
  ['responses', { tools: [{ type: 'image_generation', MODEL: 'gpt-image-1' }] }, 'tools[0][MODEL]'],
  ['chat completions', { extra_body: { model: 'dear-model' } }, 'extra_body[model]'],
  ['messages', { extra_body: { fallbacks: ['dear-model'] } }, 'extra_body[fallbacks]'],
  ['responses', { extra_body: { tools: [imageTool] } }, 'extra_body[tools][0][model]'],
  ['chat completions', { extra_body: { extra_body: { model: 'dear-model' } } }, 'extra_body[extra_body]'],
];

function routeOf(name: string) {
  const route = ROUTES.find((one) => one.name === name);
  if (!route) throw new Error(`there is no route ${name}`);
  return route;
}

const as = (key: string) => ({ headers: { authorization: `Bearer ${key}` } });

describe.each(OTHERS)('%s with %j', (name, members, param) => {
  const { at, body, native, foreign, protocol } = routeOf(name);
  const sent = { ...body(native), ...members };

  it('is rejected for a key with models or a budget, which cover the requested model only', async () => {
    const refusal = { status: 400, code: 'unsupported_parameter', param, message: /another model/ };
    for (const key of [BOUND, PAYING]) {
      await expectRefusal(await rig.post(at(native), sent, as(key)), protocol, refusal);
      const large = { ...sent, padding: 'x'.repeat(70_000) };
      await expectRefusal(await rig.post(at(native), large, as(key)), protocol, refusal);
    }
    expect(upstream.requests).toEqual([]);
  });

  it('is forwarded for an unrestricted key', async () => {
    const response = await rig.post(at(native), sent, as(KEYS.alice));
    expect(response.status, await response.text()).toBe(200);
    expect(upstream.requests[0]?.body).toMatchObject(members);
  });

  it('is dropped from a translated body', async () => {
    const response = await rig.post(at(foreign), { ...sent, ...body(foreign) }, as(BOUND));
    const text = await response.text();
    for (const { body: written } of upstream.requests) expect(JSON.stringify(written)).not.toMatch(/dear|gpt-image/);
    expect([200, 400], text).toContain(response.status);
  });
});

it.each([
  ['chat completions', { models: null, fallbacks: [] }],
  [
    'chat completions',
    {
      tools: [{ type: 'function', function: { name: 'f', parameters: { properties: { model: { type: 'string' } } } } }],
    },
  ],
  ['responses', { tools: [{ type: 'image_generation' }], metadata: { models: 'x', model: 'y' } }],
  ['responses', { input: [{ role: 'user', content: 'hi', model: 'x' }] }],
  ['messages', { tools: [{ name: 'f', input_schema: { type: 'object', properties: { models: {} } } }] }],
])('accepts %s with %j', async (name, members) => {
  const { at, body, native } = routeOf(name);
  const response = await rig.post(at(native), { ...body(native), ...members }, as(BOUND));
  expect(response.status, await response.text()).toBe(200);
});

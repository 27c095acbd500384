import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type ScriptedUpstream, scriptedUpstream, type TextRig, textRig } from '../../test/text-rig.ts';
import { respondWith } from '../../test/vendor.ts';

const HEADERS = { 'anthropic-beta': 'context-1m-2025-08-07, fast-mode-2026-02-01' };
const DROPPED = 'anthropic-beta[fast-mode-2026-02-01]';
const REQUEST = { max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] };

let upstream: ScriptedUpstream;
let rig: TextRig;
beforeAll(async () => {
  upstream = await scriptedUpstream(respondWith('hello'));
  const route = { upstream: 'claude', model: 'theirs' };
  const limited = { ...route, quirks: { betas: ['context-1m-2025-08-07'] } };
  rig = await textRig({
    upstreams: {
      claude: { kind: 'messages', base_url: upstream.url, api_key: 'sk-vendor' },
      chat: { kind: 'chat-completions', base_url: upstream.url, api_key: 'sk-vendor' },
    },
    models: [
      { id: 'all', routes: [route] },
      { id: 'limited', routes: [limited] },
      { id: 'strict', strict: true, routes: [limited] },
      { id: 'translated', strict: true, routes: [{ upstream: 'chat', model: 'theirs' }] },
    ],
  });
});
beforeEach(() => void upstream.requests.splice(0));
afterAll(async () => {
  await rig.close();
  await upstream.close();
});

const sent = () => upstream.requests.map(({ headers }) => headers['anthropic-beta']);

it('sends all values to an upstream without a list', async () => {
  const response = await rig.post('/v1/messages', { ...REQUEST, model: 'all' }, { headers: HEADERS });
  expect([response.status, response.headers.get('x-sluice-dropped')]).toEqual([200, null]);
  expect(sent()).toEqual([HEADERS['anthropic-beta']]);
});

it.each([
  ['/v1/messages', {}],
  ['/v1/messages', { stream: true }],
  ['/v1/messages/count_tokens', {}],
])('removes and names the values that the upstream does not accept: %s %j', async (path, more) => {
  const response = await rig.post(path, { ...REQUEST, ...more, model: 'limited' }, { headers: HEADERS });
  await response.text();
  expect([response.status, response.headers.get('x-sluice-dropped')]).toEqual([200, DROPPED]);
  expect(sent()).toEqual(['context-1m-2025-08-07']);
});

it('refuses such a value in strict mode, before the upstream is called', async () => {
  const response = await rig.post('/v1/messages', { ...REQUEST, model: 'strict' }, { headers: HEADERS });
  expect(response.status).toBe(400);
  expect(await response.text()).toContain(DROPPED);
  expect(sent()).toEqual([]);
});

it('ignores the header of translated requests', async () => {
  const response = await rig.post('/v1/messages', { ...REQUEST, model: 'translated' }, { headers: HEADERS });
  expect([response.status, response.headers.get('x-sluice-dropped')]).toEqual([200, null]);
  expect(sent()).toEqual([undefined]);
});

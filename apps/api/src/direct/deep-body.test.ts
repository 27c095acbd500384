import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ScriptedUpstream, scriptedUpstream, sendJson, type TextRig, textRig } from '../../test/text-rig.ts';

let upstream: ScriptedUpstream;
let rig: TextRig;
beforeAll(async () => {
  upstream = await scriptedUpstream((_request, response) => sendJson(response, 200, {}));
  rig = await textRig({
    upstreams: {
      openai: { kind: 'chat-completions', base_url: upstream.url },
      ranks: { kind: 'cohere', base_url: upstream.url, api_key: 'sk-vendor' },
    },
    models: [
      { id: 'any', routes: [{ upstream: 'openai', model: 'theirs' }] },
      { id: 'ranker', routes: [{ upstream: 'ranks', model: 'theirs' }] },
    ],
    routing: { failures: 1 },
  });
});
afterAll(async () => {
  await rig.close();
  await upstream.close();
});

const DEEP = '['.repeat(50_000) + ']'.repeat(50_000);

it.each([
  ['/v1/embeddings', `{"model":"any","input":"a","unheard_of":${DEEP}}`],
  ['/v1/moderations', `{"model":"any","input":"a","unheard_of":${DEEP}}`],
  ['/v1/audio/speech', `{"model":"any","input":"a","voice":"ash","unheard_of":${DEEP}}`],
  ['/v2/rerank', `{"model":"ranker","query":"a","documents":["b"],"unheard_of":${DEEP}}`],
  ['/v2/rerank', `{"model":"ranker","query":"a","documents":[{"text":{"a":${DEEP}}}]}`],
])('%s: rejects a body that is nested too deeply with 400, without counting an upstream failure', async (at, body) => {
  const lengthBefore = rig.logs().length;
  const reply = await rig.post(at, body);
  const text = await reply.clone().text();
  expect([reply.status, text]).toEqual([400, expect.stringContaining('The body is nested too deeply.')]);
  const logged = rig.logs().slice(lengthBefore);
  expect(logged).not.toContain('attempt failed');
  expect(logged).not.toContain('internal_error');
  expect(await (await rig.call('/metrics')).text()).not.toMatch(/^sluice_upstream_failures_total\{/m);
  expect(upstream.requests).toEqual([]);
});

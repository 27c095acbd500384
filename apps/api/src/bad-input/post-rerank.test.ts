import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { KEYS, SMALL_LIMITS } from '../../test/api-rig.ts';
import { expectRefusal, type Refusal } from '../../test/refusal.ts';
import { type ScriptedUpstream, scriptedUpstream, sendJson, type TextRig, textRig } from '../../test/text-rig.ts';

let upstream: ScriptedUpstream;
let rig: TextRig;
beforeAll(async () => {
  upstream = await scriptedUpstream((_request, response) => sendJson(response, 200, {}));
  rig = await textRig(
    {
      upstreams: {
        cohere: { kind: 'cohere', base_url: upstream.url, api_key: 'sk-vendor' },
        openai: { kind: 'chat-completions', base_url: upstream.url },
      },
      models: [
        { id: 'ranker', routes: [{ upstream: 'cohere', model: 'theirs' }] },
        { id: 'embedder', routes: [{ upstream: 'cohere', model: 'theirs' }], capabilities: ['embedding'] },
        { id: 'chat', routes: [{ upstream: 'openai', model: 'theirs' }] },
      ],
    },
    { limits: SMALL_LIMITS },
  );
});
afterAll(async () => {
  await rig.close();
  await upstream.close();
});
afterEach(() => {
  expect(upstream.requests).toEqual([]);
});

const GOOD = { model: 'ranker', query: 'q', documents: ['a'] };

/** An error in OpenAI's shape whose words stand where Cohere's clients look for them too. */
async function refused(reply: Response, wanted: Refusal): Promise<void> {
  // Ours, as checked below.
  const { message, ...rest } = (await reply.clone().json()) as { message: string; error: { message: string } };
  expect(message).toBe(rest.error.message);
  await expectRefusal(new Response(JSON.stringify(rest), reply), 'chat-completions', wanted);
}

describe.each(['/v1/rerank', '/v2/rerank'])('POST %s', (at) => {
  it.each([
    ['no query', { query: undefined }, 'query'],
    ['a query of null', { query: null }, 'query'],
    ['an empty query', { query: '' }, 'query'],
    ['a query that is a list', { query: ['q'] }, 'query'],
    ['no documents', { documents: undefined }, 'documents'],
    ['an empty list of documents', { documents: [] }, 'documents'],
    ['documents that are a text', { documents: 'a' }, 'documents'],
    ['a document that is a number', { documents: ['a', 5] }, 'documents[1]'],
    ['a document that is null', { documents: [null] }, 'documents[0]'],
    ['a document that is a list', { documents: [['a']] }, 'documents[0]'],
    ['a document without fields', { documents: ['a', {}] }, 'documents[1]'],
    ['the best none', { top_n: 0 }, 'top_n'],
    ['the best one and a half', { top_n: 1.5 }, 'top_n'],
    ['a number in text', { top_n: '2' }, 'top_n'],
    ['a wish for documents that is a text', { return_documents: 'yes' }, 'return_documents'],
    ['fields that are no list', { rank_fields: 'title' }, 'rank_fields'],
    ['a field that is a number', { rank_fields: ['title', 5] }, 'rank_fields[1]'],
    ['no model', { model: undefined }, 'model'],
    ['an empty model', { model: '' }, 'model'],
    ['a model that is no text', { model: 5 }, 'model'],
    ['a model that is for vectors', { model: 'embedder' }, 'model'],
    ['a model whose upstream cannot', { model: 'chat' }, 'model'],
  ])('refuses %s', async (_what, more, param) => {
    await refused(await rig.post(at, { ...GOOD, ...more }), { status: 400, code: 'invalid_request', param });
  });

  it.each([
    ['nothing', '', 'query'],
    ['an empty object', '{}', 'query'],
    ['broken JSON', '{"model":', null],
    ['a list', '[]', null],
    ['a text', '"a"', null],
  ])('refuses %s', async (_what, body, param) => {
    await refused(await rig.post(at, body), { status: 400, code: 'invalid_request', param });
  });

  it('rejects images if the upstream ranks texts only', async () => {
    const reply = await rig.post(at, { ...GOOD, documents: ['a', { image: 'https://x.example/a.png' }] });
    await refused(reply, { status: 400, code: 'unsupported_parameter', param: 'documents[1][image]' });
  });

  it('refuses what is not there, not allowed, too large, and not JSON', async () => {
    const ask = async (wanted: Refusal, headers = {}, body: unknown = GOOD) =>
      refused(await rig.post(at, body, { headers }), wanted);
    await ask({ status: 404, code: 'model_not_found', param: 'model' }, {}, { ...GOOD, model: 'gone' });
    const carol = { authorization: `Bearer ${KEYS.carol}` };
    await ask({ status: 403, code: 'model_not_allowed', param: 'model' }, carol);
    await ask({ status: 413, code: 'payload_too_large', param: null }, {}, { ...GOOD, query: 'x'.repeat(5_000) });
    await ask({ status: 415, code: 'unsupported_media_type', param: null }, { 'content-type': 'text/plain' });
  });
});

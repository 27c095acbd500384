import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { KEYS, SMALL_LIMITS } from '../../test/api-rig.ts';
import { expectRefusal } from '../../test/refusal.ts';
import { type ScriptedUpstream, scriptedUpstream, sendJson, type TextRig, textRig } from '../../test/text-rig.ts';

let upstream: ScriptedUpstream;
let rig: TextRig;
beforeAll(async () => {
  upstream = await scriptedUpstream((_request, response) => sendJson(response, 200, {}));
  const account = { base_url: upstream.url, api_key: 'sk-vendor' };
  rig = await textRig(
    {
      upstreams: {
        openai: { kind: 'chat-completions', ...account },
        google: { kind: 'generative-content', ...account },
        anthropic: { kind: 'messages', ...account },
      },
      models: [
        { id: 'maker', routes: [{ upstream: 'openai', model: 'theirs' }] },
        { id: 'org/maker', routes: [{ upstream: 'openai', model: 'theirs' }] },
        { id: 'gemini', routes: [{ upstream: 'google', model: 'theirs' }] },
        { id: 'chat', routes: [{ upstream: 'openai', model: 'theirs' }], capabilities: ['text'] },
        { id: 'claude', routes: [{ upstream: 'anthropic', model: 'theirs' }] },
      ],
    },
    { limits: { ...SMALL_LIMITS, json_bytes: 16_384 } },
  );
});
afterAll(async () => {
  await rig.close();
  await upstream.close();
});
afterEach(() => {
  expect(upstream.requests).toEqual([]);
});

const OPENAI = 'chat-completions';
const GOOGLE = 'generative-content';
const content = { parts: [{ text: 'a' }] };
const many = (...texts: unknown[]) => ({ input: texts });

/** Title, body, and the field that the error names. */
type BadInput = [what: string, body: unknown, param: string | null];

/** Invalid requests in OpenAI's format, wherever the model is named. */
const BAD_INPUTS: BadInput[] = [
  ['an empty object', {}, 'input'],
  ['an input of null', { input: null }, 'input'],
  ['an empty text', { input: '' }, 'input'],
  ['an empty list', { input: [] }, 'input'],
  ['an empty text in a list', many('a', ''), 'input[1]'],
  ['a number', { input: 5 }, 'input'],
  ['an object', { input: { text: 'a' } }, 'input'],
  ['texts and tokens', many('a', 1), 'input'],
  ['tokens that are no whole numbers', many(1.5), 'input'],
  ['a negative token', many(-1), 'input'],
  ['an empty list of tokens', many([1], []), 'input[1]'],
  ['more inputs than 2048', { input: Array.from({ length: 2049 }, () => [1]) }, 'input'],
  ['a format that is none', { input: 'a', encoding_format: 'int8' }, 'encoding_format'],
  ['no dimensions', { input: 'a', dimensions: 0 }, 'dimensions'],
  ['dimensions in text', { input: 'a', dimensions: '8' }, 'dimensions'],
  ['half a dimension', { input: 'a', dimensions: 1.5 }, 'dimensions'],
];

/** The same in Google's words. */
const BAD_CONTENTS: [string, unknown, string][] = [
  ['no content', {}, 'content'],
  ['a content of null', { content: null }, 'content'],
  ['a content that is a text', { content: 'a' }, 'content'],
  ['a content without parts', { content: {} }, 'content[parts]'],
  ['a content of no parts', { content: { parts: [] } }, 'content[parts]'],
  ['an empty text', { content: { parts: [{ text: '' }] } }, 'content[parts]'],
  ['a part without anything', { content: { parts: [{}] } }, 'content[parts][0][text]'],
  ['a text that is a number', { content: { parts: [{ text: 5 }] } }, 'content[parts][0][text]'],
  ['a task that is a number', { content, taskType: 1 }, 'taskType'],
  ['a title that is a number', { content, title: 1 }, 'title'],
  ['no dimensions', { content, outputDimensionality: 0 }, 'outputDimensionality'],
  ['dimensions in text, in snake case', { content, output_dimensionality: 'x' }, 'outputDimensionality'],
];

const BAD_BATCHES: [string, unknown, string][] = [
  ['no requests', {}, 'requests'],
  ['requests of null', { requests: null }, 'requests'],
  ['requests that are no list', { requests: { content } }, 'requests'],
  ['an empty list', { requests: [] }, 'requests'],
  ['a request that is a text', { requests: ['a'] }, 'requests[0]'],
  [
    'different models',
    {
      requests: [
        { model: 'models/a', content },
        { model: 'models/b', content },
      ],
    },
    'requests[1][model]',
  ],
  ['different tasks', { requests: [{ content, taskType: 'A' }, { content }] }, 'requests[1][taskType]'],
  ...BAD_CONTENTS.map(([what, body, param]): [string, unknown, string] => [
    `a request with ${what}`,
    { requests: [body] },
    `requests[0]${param.replace(/^\w+/, '[$&]')}`,
  ]),
];

const BROKEN = [
  ['broken', '{"model":'],
  ['a list', '[]'],
  ['a text', '"a"'],
  ['a number', '5'],
] as const;

describe('POST /v1/embeddings', () => {
  it.each<BadInput>([
    ...BAD_INPUTS.map(([what, body, param]): BadInput => [what, Object.assign({ model: 'maker' }, body), param]),
    ['nothing', '', 'input'],
    ['no model', { input: 'a' }, 'model'],
    ['an empty model', { model: '', input: 'a' }, 'model'],
    ['a model that is no text', { model: 5, input: 'a' }, 'model'],
    ['a model that is for text', { model: 'chat', input: 'a' }, 'model'],
    ['a model whose upstream cannot', { model: 'claude', input: 'a' }, 'model'],
  ])('refuses %s', async (_what, body, param) => {
    const wanted = { status: 400, code: 'invalid_request', param };
    await expectRefusal(await rig.post('/v1/embeddings', body), OPENAI, wanted);
  });

  it.each(BROKEN)('refuses JSON that is %s', async (_what, body) => {
    const wanted = { status: 400, code: 'invalid_request', param: null };
    await expectRefusal(await rig.post('/v1/embeddings', body), OPENAI, wanted);
  });

  it('refuses tokens where the model’s upstream takes none', async () => {
    const reply = await rig.post('/v1/embeddings', { model: 'gemini', input: [[1, 2]] });
    await expectRefusal(reply, OPENAI, { status: 400, code: 'unsupported_parameter', param: 'input' });
  });

  it('refuses what is not there, not allowed, too large, and not JSON', async () => {
    const good = JSON.stringify({ model: 'maker', input: 'a' });
    const refused = async (status: number, code: string, param: string | null, headers = {}, body = good) =>
      expectRefusal(await rig.post('/v1/embeddings', body, { headers }), OPENAI, { status, code, param });
    await refused(404, 'model_not_found', 'model', {}, good.replace('maker', 'gone'));
    await refused(403, 'model_not_allowed', 'model', { authorization: `Bearer ${KEYS.carol}` });
    await refused(413, 'payload_too_large', null, {}, JSON.stringify({ input: 'x'.repeat(20_000) }));
    await refused(415, 'unsupported_media_type', null, { 'content-type': 'text/plain' });
  });
});

describe.each(['maker', encodeURIComponent('org/maker')])('POST /v1/engines/%s/embeddings', (engine) => {
  const at = `/v1/engines/${engine}/embeddings`;

  it.each<BadInput>([...BAD_INPUTS, ['nothing', '', 'input']])('refuses %s', async (_what, body, param) => {
    await expectRefusal(await rig.post(at, body), OPENAI, { status: 400, code: 'invalid_request', param });
  });

  it.each([...BAD_CONTENTS, ...BAD_BATCHES].filter(([, body]) => JSON.stringify(body) !== '{}'))(
    'refuses %s in Google’s words',
    async (_what, body, param) => {
      await expectRefusal(await rig.post(at, body), OPENAI, { status: 400, code: 'invalid_request', param });
    },
  );

  it.each(BROKEN)('refuses JSON that is %s', async (_what, body) => {
    await expectRefusal(await rig.post(at, body), OPENAI, { status: 400, code: 'invalid_request', param: null });
  });
});

describe('POST /v1/engines/:model/embeddings', () => {
  it('has no engine that is no model, whatever the body says', async () => {
    const reply = await rig.post('/v1/engines/gone/embeddings', { model: 'maker', input: 'a' });
    await expectRefusal(reply, OPENAI, { status: 404, code: 'model_not_found', param: 'model' });
    const wanted = { status: 400, code: 'invalid_request', param: 'model' };
    await expectRefusal(await rig.post('/v1/engines/claude/embeddings', { input: 'a' }), OPENAI, wanted);
  });
});

describe.each(['/v1beta', '/v1'])('POST %s/models/…:embedContent', (prefix) => {
  const at = (model: string) => `${prefix}/models/${model}:embedContent`;

  it.each(BAD_CONTENTS)('refuses %s', async (_what, body, param) => {
    await expectRefusal(await rig.post(at('gemini'), body), GOOGLE, { status: 400, code: 'invalid_request', param });
  });

  it.each(BROKEN)('refuses JSON that is %s', async (_what, body) => {
    const wanted = { status: 400, code: 'invalid_request', param: null };
    await expectRefusal(await rig.post(at('gemini'), body), GOOGLE, wanted);
  });

  it('rejects images, unknown models, and models of another capability', async () => {
    const inlineData = { mimeType: 'image/png', data: 'AA==' };
    const param = 'content[parts][0][inlineData]';
    const image = await rig.post(at('gemini'), { content: { parts: [{ inlineData }] } });
    await expectRefusal(image, GOOGLE, { status: 400, code: 'unsupported_parameter', param });
    const gone = { status: 404, code: 'model_not_found', param: 'model' };
    await expectRefusal(await rig.post(at('gone'), { content, model: 'models/gone' }), GOOGLE, gone);
    const cannot = { status: 400, code: 'invalid_request', param: 'model' };
    await expectRefusal(await rig.post(at('claude'), { content }), GOOGLE, cannot);
    await expectRefusal(await rig.post(at('gemini'), { content, model: 'models/other' }), GOOGLE, cannot);
  });
});

describe.each(['/v1beta', '/v1'])('POST %s/models/…:batchEmbedContents', (prefix) => {
  const at = (model: string) => `${prefix}/models/${model}:batchEmbedContents`;

  it.each(BAD_BATCHES)('refuses %s', async (_what, body, param) => {
    await expectRefusal(await rig.post(at('gemini'), body), GOOGLE, { status: 400, code: 'invalid_request', param });
  });

  it.each(BROKEN)('refuses JSON that is %s', async (_what, body) => {
    const wanted = { status: 400, code: 'invalid_request', param: null };
    await expectRefusal(await rig.post(at('gemini'), body), GOOGLE, wanted);
  });

  it('refuses models that are not there or for something else', async () => {
    const gone = { status: 404, code: 'model_not_found', param: 'model' };
    await expectRefusal(await rig.post(at('gone'), { requests: [{ content }] }), GOOGLE, gone);
    const cannot = { status: 400, code: 'invalid_request', param: 'model' };
    await expectRefusal(await rig.post(at('chat'), { requests: [{ content }] }), GOOGLE, cannot);
  });
});

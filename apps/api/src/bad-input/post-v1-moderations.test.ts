import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { KEYS, SMALL_LIMITS } from '../../test/api-rig.ts';
import { expectRefusal } from '../../test/refusal.ts';
import { type ScriptedUpstream, scriptedUpstream, sendJson, type TextRig, textRig } from '../../test/text-rig.ts';

const AT = '/v1/moderations';

let upstream: ScriptedUpstream;
let rig: TextRig;
beforeAll(async () => {
  upstream = await scriptedUpstream((_request, response) => sendJson(response, 200, {}));
  rig = await textRig(
    {
      upstreams: {
        openai: { kind: 'chat-completions', base_url: upstream.url },
        anthropic: { kind: 'messages', base_url: upstream.url },
      },
      models: [
        { id: 'judge', routes: [{ upstream: 'openai', model: 'theirs' }] },
        { id: 'chat', routes: [{ upstream: 'openai', model: 'theirs' }], capabilities: ['text'] },
        { id: 'claude', routes: [{ upstream: 'anthropic', model: 'theirs' }] },
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

const image = (url: unknown) => [{ type: 'image_url', image_url: { url } }];

async function refused(reply: Response, status: number, code: string, param: string | null = null): Promise<void> {
  await expectRefusal(reply, 'chat-completions', { status, code, param });
}

describe('POST /v1/moderations', () => {
  it.each([
    ['nothing', '', 'input'],
    ['an empty object', {}, 'input'],
    ['no input', { model: 'judge' }, 'input'],
    ['an input of null', { model: 'judge', input: null }, 'input'],
    ['an empty text', { model: 'judge', input: '' }, 'input'],
    ['an empty list', { model: 'judge', input: [] }, 'input'],
    ['an empty text in a list', { model: 'judge', input: ['a', ''] }, 'input[1]'],
    ['a number', { model: 'judge', input: 5 }, 'input'],
    ['numbers', { model: 'judge', input: [1, 2] }, 'input'],
    ['texts and parts', { model: 'judge', input: ['a', { type: 'text', text: 'b' }] }, 'input'],
    ['a part of an unknown type', { model: 'judge', input: [{ type: 'audio', audio: 'x' }] }, 'input'],
    ['a part without text', { model: 'judge', input: [{ type: 'text' }] }, 'input'],
    ['a picture that is no URL', { model: 'judge', input: image('cat.png') }, 'input[0][image_url][url]'],
    ['a picture in a file', { model: 'judge', input: image('file:///etc/passwd') }, 'input[0][image_url][url]'],
    ['a model that is no text', { model: 5, input: 'a' }, 'model'],
    ['an empty model', { model: '', input: 'a' }, 'model'],
    ['no model, where none is the default', { input: 'a' }, 'model'],
    ['a model that is for text', { model: 'chat', input: 'a' }, 'model'],
    ['a model whose upstream cannot', { model: 'claude', input: 'a' }, 'model'],
  ])('refuses %s', async (_what, body, param) => {
    const wanted = { status: 400, code: 'invalid_request', param };
    await expectRefusal(await rig.post(AT, body), 'chat-completions', wanted);
  });

  it.each([
    ['broken', '{"model":'],
    ['a list', '[]'],
    ['a text', '"a"'],
  ])('refuses JSON that is %s', async (_what, body) => {
    const wanted = { status: 400, code: 'invalid_request', param: null };
    await expectRefusal(await rig.post(AT, body), 'chat-completions', wanted);
  });

  it('refuses what is not there, not allowed, too large, and not JSON', async () => {
    const good = JSON.stringify({ model: 'judge', input: 'a' });
    const ask = (headers: Record<string, string>, body = good) => rig.post(AT, body, { headers });
    await refused(await ask({}, good.replace('judge', 'gone')), 404, 'model_not_found', 'model');
    await refused(await ask({ authorization: `Bearer ${KEYS.carol}` }), 403, 'model_not_allowed', 'model');
    await refused(await ask({}, JSON.stringify({ input: 'x'.repeat(5_000) })), 413, 'payload_too_large');
    await refused(await ask({ 'content-type': 'text/plain' }), 415, 'unsupported_media_type');
    await refused(await ask({ 'content-encoding': 'gzip' }), 415, 'unsupported_media_type');
  });
});

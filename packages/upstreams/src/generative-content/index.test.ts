import { describe, expect, it } from 'vitest';
import { readBody, startServer } from '../../test/local-server.ts';
import { describeTextContract } from '../../test/text-contract.ts';
import { TEXT_KEY, textCall, textOf, textRig } from '../../test/text-rig.ts';

describeTextContract('generative-content', '');

describe('generative-content', () => {
  it.each([
    ['', '/v1beta'],
    ['/v1/', '/v1'],
    ['/v1beta', '/v1beta'],
    ['/proxy/v1alpha', '/proxy/v1alpha'],
    ['/proxy', '/proxy/v1beta'],
  ])('calls below its base %j at %s', async (end, base) => {
    await using server = await startServer((_request, response) => response.end('{}'));
    await using rig = textRig({ kind: 'generative-content', base_url: `${server.origin}${end}`, api_key: TEXT_KEY });
    await textOf(await rig.text.open(textCall({ stream: true })));
    await textOf(await rig.text.open(textCall({ stream: false })));
    await textOf(await rig.text.open(textCall({ operation: 'count-tokens', stream: false })));
    expect(server.requests.map(({ url, headers }) => [url, headers['x-goog-api-key']])).toEqual([
      [`${base}/models/model-a:streamGenerateContent?alt=sse`, TEXT_KEY],
      [`${base}/models/model-a:generateContent`, TEXT_KEY],
      [`${base}/models/model-a:countTokens`, TEXT_KEY],
    ]);
    await expect(rig.text.open(textCall({ operation: 'complete' }))).rejects.toMatchObject({ code: 'not_found' });
  });

  it('calls Vertex AI below its publisher, and converts bodies that are counted', async () => {
    const bodies: string[] = [];
    await using server = await startServer(async (request, response) => {
      bodies.push((await readBody(request)).toString());
      response.end('{}');
    });
    const base = '/v1/projects/p/locations/global/publishers/google';
    await using rig = textRig({ kind: 'generative-content', base_url: `${server.origin}${base}/`, api_key: TEXT_KEY });
    const counted = { model: 'models/m', contents: [], tools: [], safetySettings: [] };
    for (const body of [{ generateContentRequest: counted }, { contents: [] }])
      await textOf(
        await rig.text.open(textCall({ operation: 'count-tokens', stream: false, body: JSON.stringify(body) })),
      );
    await textOf(await rig.text.open(textCall({ stream: true, body: '{"a":1.0}' })));
    expect(server.requests.map(({ url }, index) => [url, bodies[index]])).toEqual([
      [`${base}/models/model-a:countTokens`, '{"contents":[],"tools":[]}'],
      [`${base}/models/model-a:countTokens`, '{"contents":[]}'],
      [`${base}/models/model-a:streamGenerateContent?alt=sse`, '{"a":1.0}'],
    ]);
    expect(rig.text.quirks).toEqual({ call_ids: false });
  });

  it.each([
    ['models/gemini-3', '/v1beta/models/gemini-3:generateContent'],
    ['org/gemini 3?x#y:z', '/v1beta/models/org/gemini%203%3Fx%23y%3Az:generateContent'],
    ['lone\uD800', '/v1beta/models/lone%EF%BF%BD:generateContent'],
  ])('calls the model %j at %s', async (model, url) => {
    await using server = await startServer((_request, response) => response.end('{}'));
    await using rig = textRig({ kind: 'generative-content', base_url: server.origin });
    await textOf(await rig.text.open(textCall({ model, stream: false })));
    expect(server.requests[0]?.url).toBe(url);
  });

  it.each(['../files', 'a/../../files', './a', 'a//b', ''])('refuses a model such as %j', async (model) => {
    await using rig = textRig({ kind: 'generative-content', base_url: 'http://127.0.0.1:1' });
    await expect(rig.text.open(textCall({ model }))).rejects.toMatchObject({ code: 'model_not_found' });
  });
});

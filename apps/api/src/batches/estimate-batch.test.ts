import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KEYS } from '../../test/api-rig.ts';
import { type BatchesApi, CHAT, messages, startBatchesApi, window } from '../../test/batches/batches-api.ts';
import { uploadLines } from '../../test/batches/batches-rig.ts';
import { MODELS } from '../../test/vendor.ts';

let api: BatchesApi;
beforeAll(async () => {
  api = await startBatchesApi();
});
afterAll(() => api.close());

const estimate = async (body: object, key = KEYS.alice) => {
  const headers = { authorization: `Bearer ${key}` };
  return (await api.rig.post('/v1/batches?dry_run=true', { endpoint: CHAT, ...body }, { headers })).json();
};

describe('the estimate of a batch', () => {
  const bodies = [
    { model: 'priced', messages: [{ role: 'user', content: 'x'.repeat(396) }], max_tokens: 100 },
    { model: 'priced', messages: [{ role: 'user', content: 'x'.repeat(396) }], max_tokens: 50 },
  ];

  it('is the maximum cost, and creates nothing', async () => {
    const { data: before } = await api.openai.batches.list();
    const input_file_id = await uploadLines(api.rig, CHAT, bodies);
    const found = await estimate({ input_file_id, max_cost_usd: 0.1 });
    expect(found).toMatchObject({
      object: 'batch.estimate',
      requests: 2,
      model: 'priced',
      output_tokens: 150,
      exceeds: ['max_cost_usd'],
    });
    // Each message has 99 tokens, and a few for its other texts.
    const { input_tokens: input, cost_usd: cost } = found as { input_tokens: number; cost_usd: number };
    expect(input).toBeGreaterThan(198);
    expect(input).toBeLessThan(220);
    expect(cost).toBeCloseTo((input + 150) / 1_000, 6);
    expect((await api.openai.batches.list()).data).toEqual(before);
  });

  it.each<[string, string, object]>([
    [
      'messages',
      '/v1/messages/batches',
      { max_cost_usd: 0.01, requests: [{ custom_id: 'a', params: { model: 'priced', messages, max_tokens: 30 } }] },
    ],
    [
      'generated content',
      '/v1beta/models/priced:batchGenerateContent',
      {
        batch: {
          inputConfig: {
            requests: {
              requests: [
                { request: { contents: [{ parts: [{ text: 'hi' }] }], generationConfig: { maxOutputTokens: 30 } } },
              ],
            },
          },
        },
      },
    ],
  ])('is the same for a batch of %s in the body', async (title, path, body) => {
    const [{ data: batches }, stored] = [await api.openai.batches.list(), await api.rig.storedFiles()];
    const headers = { authorization: `Bearer ${KEYS.alice}`, 'x-goog-api-key': KEYS.alice };
    const send = async (query: string) => api.rig.post(`${path}?${query}`, body, { headers });
    const response = await send('dry_run=true');
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      object: 'batch.estimate',
      requests: 1,
      model: 'priced',
      output_tokens: 30,
      cost_usd: expect.any(Number),
      exceeds: title === 'messages' ? ['max_cost_usd'] : [],
    });
    expect((await send('dry_run=perhaps')).status).toBe(400);
    expect((await api.openai.batches.list()).data).toEqual(batches);
    expect(await api.rig.storedFiles()).toEqual(stored);
  });

  it('is null if a model has no price', async () => {
    const input_file_id = await uploadLines(api.rig, CHAT, [{ model: MODELS['chat-completions'], messages }]);
    expect(await estimate({ input_file_id })).toMatchObject({ cost_usd: null, exceeds: [] });
    expect(await estimate({ input_file_id, max_cost_usd: 5 })).toMatchObject({ exceeds: ['max_cost_usd'] });
  });

  it.each<[string, object[], string, string]>([
    ['chat completions without a limit', [{ model: 'priced', messages }], CHAT, '4096'],
    ['responses', [{ model: 'priced', input: 'hi', max_output_tokens: 9 }], '/v1/responses', '9'],
    ['messages', [{ model: 'priced', messages, max_tokens: 8 }], '/v1/messages', '8'],
    ['completions', [{ model: 'priced', prompt: ['a', 'b'], n: 2, max_tokens: 7 }], '/v1/completions', '28'],
    ['embeddings', [{ model: 'priced', input: [1, 2, 3] }], '/v1/embeddings', '0'],
    [
      'generated content',
      [{ contents: [{ parts: [{ text: 'hi' }] }], generationConfig: { maxOutputTokens: 6, candidateCount: 2 } }],
      '/v1beta/models/priced:generateContent',
      '12',
    ],
  ])('covers %s', async (_title, lines, endpoint, output) => {
    const input_file_id = await uploadLines(api.rig, endpoint, lines);
    const found = await estimate({ input_file_id, endpoint });
    expect(found).toMatchObject({ requests: 1, model: 'priced', output_tokens: Number(output) });
  });

  it('covers images and videos', async () => {
    const input_file_id = await uploadLines(api.rig, '/v1/videos', [
      { model: 'video', prompt: 'a kite', seconds: '4' },
    ]);
    expect(await estimate({ input_file_id, endpoint: '/v1/videos' })).toMatchObject({ requests: 1, cost_usd: null });
    const film = await uploadLines(api.rig, '/v1/videos', [{ model: 'film', prompt: 'a kite', seconds: '4' }]);
    expect(await estimate({ input_file_id: film, endpoint: '/v1/videos' })).toMatchObject({ cost_usd: 2 });
    const endpoint = '/v1/images/generations';
    const images = await uploadLines(api.rig, endpoint, [{ model: 'picture', prompt: 'a kite', n: 3 }]);
    expect(await estimate({ input_file_id: images, endpoint })).toMatchObject({ cost_usd: 0.75 });
    const invalid = await uploadLines(api.rig, '/v1/videos', [{ model: 'video', prompt: 'a kite', seconds: 'x' }]);
    expect(await estimate({ input_file_id: invalid, endpoint: '/v1/videos' })).toMatchObject({
      error: { code: 'invalid_request', param: 'seconds', message: expect.stringMatching(/^Line 1: seconds/) },
    });
  });

  it.each<[string, object, string, RegExp]>([
    [
      'an unknown model',
      { model: 'no-model', messages },
      'model_not_found',
      /^Line 1: Model `no-model` does not exist/,
    ],
    ['a missing model', { messages }, 'invalid_request', /^Line 1: body.model is required/],
    ['a streamed request', { model: 'priced', stream: true }, 'invalid_request', /^Line 1: /],
  ])('refuses %s', async (_title, body, code, message) => {
    const input_file_id = await uploadLines(api.rig, CHAT, [body]);
    expect(await estimate({ input_file_id })).toMatchObject({
      error: { code, message: expect.stringMatching(message) },
    });
  });

  it('refuses a model that the key may not use', async () => {
    const headers = { authorization: `Bearer ${KEYS.carol}` };
    const input_file_id = await uploadLines(api.rig, CHAT, bodies, { headers });
    expect(await estimate({ input_file_id }, KEYS.carol)).toMatchObject({ error: { code: 'model_not_allowed' } });
  });

  it('fails a batch that the budget of the key cannot cover', async () => {
    const headers = { authorization: `Bearer ${KEYS.bob}` };
    const expensive = Array.from({ length: 8 }, () => bodies[0] ?? {});
    const input_file_id = await uploadLines(api.rig, CHAT, expensive, { headers });
    expect(await estimate({ input_file_id }, KEYS.bob)).toMatchObject({
      budget: { limit_usd: 1, remaining_usd: 1 },
      exceeds: ['budget'],
    });
    const { id } = await api.bob.batches.create({ ...window, input_file_id, endpoint: CHAT });
    const batch = await api.ended(id, api.bob);
    expect(batch).toMatchObject({ status: 'failed', errors: { data: [{ code: 'insufficient_quota' }] } });
  });
});

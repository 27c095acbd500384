import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type ApiRig, apiRig, KEYS } from '../../../test/api-rig.ts';
import { send, sendJson } from '../../../test/bad-request.ts';
import { uploadFile } from '../../../test/batches/batches-rig.ts';

const CHAT = '/v1/chat/completions';
let rig: ApiRig;
beforeAll(async () => {
  const batches = { per_key: 1, max_input_bytes: 1_000 };
  rig = await apiRig({ redisTimeoutMs: 5_000, config: { batches } });
});
afterAll(() => rig.close());

afterEach(async () => {
  expect(await (await rig.call('/v1/batches')).json()).toMatchObject({ data: [] });
  expect(await (await rig.call('/v1/files')).json()).toMatchObject({ data: [] });
});

const fields = { endpoint: CHAT, completion_window: '1h' };
const create = (change: object) => sendJson('POST', '/v1/batches', { ...fields, ...change });

const sent = async (purpose: string, content: string, at = '/v1/batches') => {
  const form = new FormData();
  form.append('purpose', purpose);
  form.append('file', new Blob([content]), 'a.jsonl');
  const file = (await (await rig.call('/v1/files', { method: 'POST', body: form })).json()) as { id: string };
  const response = await sendJson('POST', at, { ...fields, input_file_id: file.id })(rig);
  await rig.call(`/v1/files/${file.id}`, { method: 'DELETE' });
  return response;
};

const refused = (message: string, param: string) => ({
  status: 400,
  body: { error: { code: 'invalid_request', param, message: expect.stringContaining(message) } },
});

describe('a file of the key', () => {
  const body = { model: 'video' };
  const line = (change: object = {}) => JSON.stringify({ custom_id: 'a', method: 'POST', url: CHAT, body, ...change });

  it('is not the input of a batch without the purpose', async () => {
    expect(await sent('user_data', line())).toMatchObject(refused('the purpose `batch`', 'input_file_id'));
  });

  it('is not the input of a batch above the maximum size', async () => {
    expect(await sent('batch', line({ x: 'x'.repeat(1_000) }))).toMatchObject(
      refused('at most 1,000 bytes', 'input_file_id'),
    );
  });

  it.each([
    ['is no JSON', `${line()}\n{`, 'Line 2: ', 'input_file_id'],
    ['is empty', `${line()}\n\n${line()}`, 'Line 2: ', 'input_file_id'],
    ['has another endpoint', line({ url: '/v1/embeddings' }), 'Line 1: ', 'url'],
    ['has no id', line({ custom_id: undefined }), 'Line 1: ', 'custom_id'],
    [
      'repeats an id',
      `${line()}\n${line({ custom_id: 'b' })}\n${line()}\n${line()}`,
      'Line 3: The `custom_id` is the same as in line 1. Each line needs its own. More lines are invalid: 4.',
      'custom_id',
    ],
    [
      'has another model',
      `${line()}\n${line({ custom_id: 'b', body: { model: 'other' } })}`,
      'Line 2: The model differs',
      'body.model',
    ],
    ['has no model', line({ body: {} }), 'Line 1: body.model is required', 'body.model'],
  ])('is not estimated if a line %s', async (_title, content, message, param) => {
    expect(await sent('batch', content, '/v1/batches?dry_run=true')).toMatchObject(refused(message, param));
  });
});

it('refuses more open batches than the key may have', async () => {
  const line = { custom_id: 'a', method: 'POST', url: CHAT, body: { model: 'video' } };
  const input_file_id = await uploadFile(rig, JSON.stringify(line));
  const creation = create({ input_file_id });
  // The cast is safe because every created batch has an id.
  const { id } = (await creation(rig)).body as { id: string };
  expect(await creation(rig)).toMatchObject({ status: 429, body: { error: { code: 'rate_limited' } } });
  await send('POST', `/v1/batches/${id}/cancel`)(rig);
  expect(await (await rig.call(`/v1/batches/${id}`, { method: 'DELETE' })).json()).toMatchObject({ deleted: true });
  await rig.call(`/v1/files/${input_file_id}`, { method: 'DELETE' });
});

describe('the results of a batch', () => {
  it('are refused before it has ended', async () => {
    const headers = { 'x-api-key': KEYS.alice, 'anthropic-version': '2023-06-01' };
    const params = { model: 'video', max_tokens: 5, messages: [] };
    const body = { requests: [{ custom_id: 'a', params }] };
    // The cast is safe because every created batch has an id.
    const { id } = (await sendJson('POST', '/v1/messages/batches', body, headers)(rig)).body as { id: string };
    const at = `/v1/messages/batches/${id}`;
    const response = await rig.call(`${at}/results`, { headers });
    expect([response.status, await response.json()]).toMatchObject([409, { error: { type: 'conflict_error' } }]);
    expect(await send('DELETE', at, { headers })(rig)).toMatchObject({ status: 409 });
    await send('POST', `${at}/cancel`, { headers })(rig);
    expect(await send('DELETE', at, { headers })(rig)).toMatchObject({ body: { type: 'message_batch_deleted' } });
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiRig, apiRig, KEYS } from '../../test/api-rig.ts';

/** Without workers, so that every task stays queued. */
let idleRig: ApiRig;
beforeAll(async () => {
  idleRig = await apiRig();
});
afterAll(() => idleRig.close());

const post = (at: string, body: object) =>
  idleRig.call(at, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEYS.alice}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

describe('a body nested deeper than the stack allows', () => {
  const deep = '['.repeat(200_000) + ']'.repeat(200_000);
  it.each([
    ['/v1/videos', `{"prompt":"x","my_callback":${deep}}`],
    ['/v1/videos', `{"prompt":"x","metadata":{"model":${deep}}}`],
    ['/v1/videos', `{"prompt":"x","input_reference":{"image_url":"https://a.test/","x":${deep}}}`],
    ['/kling/v1/videos/text2video', `{"model_name":"video","prompt":"x","callback_x":${deep}}`],
    ['/jimeng/?Action=CVSync2AsyncSubmitTask&Version=1', `{"req_key":"video","prompt":"x","webhook":${deep}}`],
    ['/v1/images/generations', `{"input":{"messages":[{"role":"user","content":[{"text":"x","z":${deep}}]}]}}`],
  ])('is rejected at %s', async (at, body) => {
    const rig = await apiRig({ limits: { json_bytes: 1_000_000 } });
    try {
      const headers = { authorization: `Bearer ${KEYS.alice}`, 'content-type': 'application/json' };
      expect((await rig.call(at, { method: 'POST', headers, body })).status).toBe(400);
      expect(await rig.taskIds()).toEqual([]);
    } finally {
      await rig.close();
    }
  });
});

describe('a vendor protocol', () => {
  it('reports parameters that no upstream receives', async () => {
    const params = { model_name: 'video', prompt: 'a', notify_url: 'https://client.test/hook' };
    const response = await post('/kling/v1/videos/text2video', params);
    expect([response.status, response.headers.get('x-sluice-dropped')]).toEqual([200, 'notify_url']);
  });
});

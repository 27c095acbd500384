import { afterEach, expect, it } from 'vitest';
import { at, wireCaller } from '../../../test/wire-caller.ts';
import { type RunningSandbox, type SandboxSettings, startSandbox } from '../../start-sandbox.ts';

let sandbox: RunningSandbox;
afterEach(() => sandbox.close());

async function start(options: SandboxSettings = {}): Promise<void> {
  sandbox = await startSandbox({ renderMs: 20, ...options });
}

const call = wireCaller(() => `${sandbox.url}/fal-run`, { authorization: 'Key sk-sandbox' });
const run = (prompt: string, more = {}) =>
  call('POST', '/fal-ai/flux/dev', { prompt, image_size: { width: 16, height: 16 }, ...more });

it('returns the result', async () => {
  await start();
  const { status, headers, body } = await run('kite', { num_images: 2 });
  expect([status, headers.get('x-fal-request-id')]).toEqual([200, expect.stringMatching(/^[0-9a-f-]{36}$/)]);
  expect(body['images']).toHaveLength(2);
  expect((await fetch(String(at(body, 'images.1.url')))).status).toBe(200);
});

it.each([
  ['an input that is wrong', 'kite', { num_images: 9 }, 422, 'less_than_equal'],
  ['invalid parameters', '[refused]', {}, 422, 'feature_not_supported'],
  ['a prompt that offends', '[moderation]', {}, 422, 'content_policy_violation'],
  ['an image that offends', '[moderated-output]', {}, 422, 'content_policy_violation'],
  ['a failure', '[fail]', {}, 500, 'internal_server_error'],
  ['nothing', '[nothing]', {}, 422, 'no_media_generated'],
  ['no balance', '[balance]', {}, 403, undefined],
  ['a busy vendor', '[429]', {}, 429, undefined],
  ['no vendor', '[503]', {}, 503, undefined],
  ['a defect', '[500]', {}, 500, undefined],
])('reports %s immediately', async (_what, prompt, more, code, type) => {
  await start();
  const { status, body } = await run(prompt, more);
  expect([status, at(body, 'detail.0.type')]).toEqual([code, type]);
});

it('rejects requests over the limit, because they cannot wait', async () => {
  await start({ renderMs: 300, concurrency: { fal: 1 } });
  const [first, second] = await Promise.all([run('first'), run('second')]);
  expect([first.status, second.status].toSorted((a, b) => a - b)).toEqual([200, 429]);
});

it('shares models and account with the queue', async () => {
  await start();
  expect((await call('POST', '/fal-ai/flux/pro', { prompt: 'kite' })).body['detail']).toBe('Path /pro not found');
  expect((await call('POST', '/fal-ai/sora', { prompt: 'kite' })).status).toBe(404);
  expect((await call('POST', '/fal-ai/flux/dev', {}, { authorization: 'Key sk-wrong' })).status).toBe(401);
});

it('cuts off a response that contains the image', async () => {
  await start();
  await expect(run('kite [cut]', { sync_mode: true })).rejects.toThrow();
  expect((await run('kite [cut]')).status).toBe(200);
});

import { ENDPOINTS } from '@sluice/protocols';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiRig, apiRig, KEYS } from '../../test/api-rig.ts';

let rig: ApiRig;
beforeAll(async () => {
  rig = await apiRig();
});
afterAll(() => rig.close());

describe('registerEndpoints', () => {
  it.each(ENDPOINTS.map((endpoint) => [endpoint.method, endpoint.path] as const))(
    'serves %s %s only with a key',
    async (method, path) => {
      const at = path.replaceAll(/:\w+/g, 'video_x');
      expect((await rig.call(at, { method })).status).not.toBe(405);
      const bare = await rig.call(at, { method, headers: {} });
      expect(bare.status).toBe(401);
    },
  );

  it.each(ENDPOINTS.filter(({ method }) => method === 'GET').map(({ path }) => path))(
    'responds to HEAD %s like GET, without a body',
    async (path) => {
      const at = path.replaceAll(/:\w+/g, 'video_x');
      const [get, head] = await Promise.all([rig.call(at), rig.call(at, { method: 'HEAD' })]);
      expect(head.status).toBe(get.status);
      expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'));
      expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'));
      expect(await head.text()).toBe('');
    },
  );

  it.each([
    ['PUT', '/v1/videos', 'POST, GET, HEAD'],
    ['DELETE', '/v1/videos', 'POST, GET, HEAD'],
    ['OPTIONS', '/v1/videos', 'POST, GET, HEAD'],
    ['PATCH', '/v1/videos/video_x', 'GET, HEAD, DELETE'],
    ['POST', '/v1/videos/video_x', 'GET, HEAD, DELETE'],
    ['GET', '/v1/videos/video_x/cancel', 'POST'],
    ['DELETE', '/v1/videos/video_x/content', 'GET, HEAD'],
  ])('returns 405 with the allowed methods for %s %s', async (method, at, allow) => {
    const response = await rig.call(at, { method });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe(allow);
    expect(await response.json()).toMatchObject({ error: { code: 'method_not_allowed', param: null } });
  });

  it.each([
    ['POST', '/v1/chat/completions', 'param', 'dry_run'],
    ['POST', '/v1/responses', 'code', 'invalid_request'],
    ['POST', '/v1/messages', 'type', 'invalid_request_error'],
    ['POST', '/v1beta/models/x:generateContent', 'status', 'INVALID_ARGUMENT'],
    ['POST', '/v1/embeddings', 'param', 'dry_run'],
    ['DELETE', '/v1/videos/video_x', 'param', 'dry_run'],
  ])('refuses a dry run of %s %s, which has none', async (method, at, field, value) => {
    const headers = {
      authorization: `Bearer ${KEYS.alice}`,
      'x-goog-api-key': KEYS.alice,
      'content-type': 'application/json',
    };
    const send = async (query: string) =>
      rig.call(`${at}?${query}`, { method, headers, ...(method === 'POST' && { body: '{}' }) });
    const refused = await send('dry_run=true');
    expect(refused.status).toBe(400);
    const message = expect.stringContaining('no dry run');
    expect(await refused.json()).toMatchObject({ error: { message, [field]: value } });
    expect(await (await send('dry_run=false')).text()).not.toContain('no dry run');
  });

  it.each(['/', '/v1', '/v1/video', '/v2/videos', '/v1/videos/a/b', '/v1/videos/a/content/b', '/V1/videos'])(
    'returns 404 for %s',
    async (at) => {
      const response = await rig.call(at);
      expect(response.status).toBe(404);
      expect(response.headers.get('allow')).toBeNull();
      expect(await response.json()).toMatchObject({ error: { code: 'not_found' } });
    },
  );
});

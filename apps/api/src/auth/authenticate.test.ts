import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiRig, apiRig, KEYS } from '../../test/api-rig.ts';

let rig: ApiRig;
/** Each key owns one video, so the video list identifies the caller. */
const owners = new Map<string, string>();
beforeAll(async () => {
  rig = await apiRig();
  for (const name of ['alice', 'bob', 'carol'] as const) {
    const response = await rig.create({ prompt: name }, {}, KEYS[name]);
    owners.set(((await response.json()) as { id: string }).id, name);
  }
});
afterAll(() => rig.close());

/** Returns the name of the authenticated key, or the status of the error. */
async function caller(headers: Record<string, string>, query = ''): Promise<string | number | undefined> {
  const response = await rig.call(`/v1/videos${query}`, { headers });
  if (!response.ok) return response.status;
  const { data } = (await response.json()) as { data: { id: string }[] };
  return owners.get(data[0]?.id ?? '');
}

const { alice, bob, carol } = KEYS;

describe('an API key', () => {
  it.each([
    ['as Bearer', { authorization: `Bearer ${alice}` }, ''],
    ['as bearer', { authorization: `bearer ${alice}` }, ''],
    ['as Bearer with more blanks', { authorization: `Bearer   ${alice}` }, ''],
    ['in x-api-key', { 'x-api-key': alice }, ''],
    ['in x-gen-api-key', { 'x-gen-api-key': alice }, ''],
    ['in x-goog-api-key', { 'x-goog-api-key': alice }, ''],
    ['in the query', {}, `?key=${alice}`],
    ['in the query, escaped', {}, `?limit=5&key=${alice.replaceAll('-', '%2D')}`],
  ])('is accepted %s', async (_where, headers, query) => {
    expect(await caller({ ...headers }, query)).toBe('alice');
  });

  it.each([
    ['Bearer over x-api-key', { authorization: `Bearer ${alice}`, 'x-api-key': bob }, `?key=${carol}`, 'alice'],
    ['x-api-key over x-gen-api-key', { 'x-api-key': alice, 'x-gen-api-key': bob }, `?key=${carol}`, 'alice'],
    ['x-gen-api-key over the query', { 'x-gen-api-key': alice }, `?key=${bob}`, 'alice'],
    ['x-goog-api-key over the query', { 'x-goog-api-key': alice }, `?key=${bob}`, 'alice'],
    [
      'x-api-key over an authorization header that is not Bearer',
      { authorization: 'Basic abc', 'x-api-key': bob },
      '',
      'bob',
    ],
    ['x-api-key over an empty Bearer', { authorization: 'Bearer ', 'x-api-key': bob }, '', 'bob'],
    ['the query over an empty header', { 'x-api-key': '' }, `?key=${bob}`, 'bob'],
    ['a wrong Bearer over a good x-api-key', { authorization: 'Bearer sk-wrong', 'x-api-key': bob }, '', 401],
    ['a wrong x-api-key over a good query', { 'x-api-key': 'sk-wrong' }, `?key=${bob}`, 401],
  ])('is chosen by precedence: %s', async (_what, headers, query, expected) => {
    expect(await caller({ ...headers }, query)).toBe(expected);
  });

  it('reports a missing key and an invalid key with different remedies', async () => {
    const missing = await rig.call('/v1/videos', { headers: {} });
    const wrong = await rig.call('/v1/videos', { headers: { authorization: 'Bearer sk-wrong' } });
    for (const response of [missing, wrong]) {
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toBe('Bearer');
      expect(response.headers.get('x-should-retry')).toBe('false');
    }
    expect(await missing.json()).toMatchObject({
      error: {
        code: 'invalid_api_key',
        type: 'authentication_error',
        message: expect.stringContaining('No API key'),
      },
    });
    expect(await wrong.json()).toMatchObject({ error: { message: expect.stringContaining('is invalid') } });
  });

  it('never appears in a log line', async () => {
    for (const secret of Object.values(KEYS)) expect(rig.logs()).not.toContain(secret);
    expect(rig.logs()).not.toContain('sk%2Dalice');
    expect(rig.logs()).toContain('/v1/videos?key=');
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN_KEY, type AdminRig, adminRig } from '../../test/admin-rig.ts';
import { KEYS } from '../../test/api-rig.ts';

const HOUR = 3_600;
let rig: AdminRig;
let nowMs = Date.parse('2026-06-01T00:00:00Z');
const now = () => nowMs / 1_000;
beforeAll(async () => {
  rig = await adminRig({ now: () => nowMs });
});
afterAll(() => rig.close());

describe('API keys over the admin API', () => {
  it('creates, shows, changes, rotates, and revokes a key by id or name', async () => {
    const settings = { models: ['film'], limits: { rpm: 100 }, budget: { usd: 5 } };
    const created = await rig.admin('POST', 'keys', { name: 'app', expires_at: now() + HOUR, ...settings });
    const { key, ...shown } = created.body;
    expect(created.status).toBe(201);
    expect(shown).toEqual({
      object: 'key',
      id: expect.stringMatching(/^key_[0-9a-f]{24}$/) as string,
      name: 'app',
      source: 'store',
      status: 'active',
      last4: String(key).slice(-4),
      models: ['film'],
      strict: false,
      vendor_references: false,
      limits: { rpm: 100 },
      budget: { usd: 5, period: 'month' },
      created_at: now(),
      expires_at: now() + HOUR,
    });
    expect(await rig.statusWith(String(key))).toBe(200);
    const spending = { spent_usd: 0, reserved_usd: 0, remaining_usd: 5, resets_at: expect.any(Number) as number };
    for (const id of ['app', String(shown['id'])]) {
      expect(await rig.admin('GET', `keys/${id}`)).toEqual({ status: 200, body: { ...shown, spending } });
    }

    const change = { models: null, limits: { tpm: 9 }, strict: true, expires_at: null };
    const changed = await rig.admin('PATCH', 'keys/app', change);
    const { models: _models, expires_at: _expiry, ...unchanged } = shown;
    expect(changed).toEqual({ status: 200, body: { ...unchanged, strict: true, limits: { rpm: 100, tpm: 9 } } });

    const rotated = await rig.admin('POST', `keys/${String(shown['id'])}/rotate`);
    expect(rotated.body).toMatchObject({ former_secrets: [{ last4: shown['last4'], ends_at: now() + 24 * HOUR }] });
    expect(await rig.statusWith(String(key))).toBe(200);
    expect(await rig.statusWith(String(rotated.body['key']))).toBe(200);

    const again = await rig.admin('POST', 'keys/app/rotate', { grace_seconds: 0 });
    expect(again.body['former_secrets']).toBeUndefined();
    expect(await rig.statusWith(String(key))).toBe(401);
    expect(await rig.statusWith(String(rotated.body['key']))).toBe(401);
    expect(await rig.statusWith(String(again.body['key']))).toBe(200);

    const revoked = await rig.admin('DELETE', 'keys/app');
    expect(revoked).toMatchObject({ status: 200, body: { status: 'revoked', revoked_at: now() } });
    expect(await rig.admin('DELETE', 'keys/app')).toEqual(revoked);
    expect(await rig.statusWith(String(again.body['key']))).toBe(401);
    for (const call of [rig.admin('PATCH', 'keys/app', {}), rig.admin('POST', 'keys/app/rotate')]) {
      expect(await call).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } });
    }
  });

  it('ends a key at its expiry, and a former secret at the end of the grace period', async () => {
    const begun = nowMs;
    const first = await rig.createKey('clocked', { expires_at: now() + 2 * HOUR });
    const { body } = await rig.admin('POST', 'keys/clocked/rotate', { grace_seconds: HOUR });
    const second = String(body['key']);
    nowMs = begun + HOUR * 1_000 - 1;
    expect([await rig.statusWith(first), await rig.statusWith(second)]).toEqual([200, 200]);
    nowMs = begun + HOUR * 1_000;
    expect([await rig.statusWith(first), await rig.statusWith(second)]).toEqual([401, 200]);
    expect((await rig.admin('GET', 'keys/clocked')).body['former_secrets']).toBeUndefined();
    nowMs = begun + 2 * HOUR * 1_000;
    expect(await rig.statusWith(second)).toBe(401);
    expect((await rig.admin('GET', 'keys/clocked')).body['status']).toBe('expired');
    await rig.admin('PATCH', 'keys/clocked', { expires_at: now() + HOUR });
    expect(await rig.statusWith(second)).toBe(200);
  });

  it('limits a key to its models and keeps its ownership across rotations', async () => {
    const key = await rig.createKey('maker', { models: ['film'] });
    const video = await rig.create({ prompt: 'a kite', model: 'film' }, {}, key);
    const { id } = (await video.json()) as { id: string }; // a created video has one
    expect((await rig.create({ prompt: 'a kite', model: 'clip' }, {}, key)).status).toBe(403);
    await rig.admin('PATCH', 'keys/maker', { models: ['cl*'] });
    expect((await rig.create({ prompt: 'a kite', model: 'clip' }, {}, key)).status).toBe(200);
    const { body } = await rig.admin('POST', 'keys/maker/rotate', { grace_seconds: 0 });
    const read = async (secret: string) =>
      (await rig.call(`/v1/videos/${id}`, { headers: { authorization: `Bearer ${secret}` } })).status;
    expect([await read(String(body['key'])), await read(key), await read(KEYS.alice)]).toEqual([200, 401, 404]);
  });

  it('rejects a revoked key with the same 401 as an unknown one, in the shape of each protocol', async () => {
    const revoked = await rig.createKey('revoked');
    await rig.admin('DELETE', 'keys/revoked');
    const expired = await rig.createKey('expired', { expires_at: now() + 1 });
    nowMs += 1_000;
    for (const [method, at] of [
      ['GET', '/v1/videos'],
      ['POST', '/v1/chat/completions'],
      ['POST', '/v1/responses'],
      ['POST', '/v1/messages'],
      ['POST', '/v1beta/models/x:generateContent'],
      ['POST', '/v1/embeddings'],
      ['POST', '/v1/audio/speech'],
      ['POST', '/kling/v1/videos/text2video'],
      ['POST', '/jimeng/?Action=CVSync2AsyncSubmitTask&Version=2022-08-31'],
      ['GET', '/v1/realtime?model=x'],
    ] as const) {
      const responses = [revoked, expired, 'sk-sluice-never'].map(async (key) => {
        const response = await rig.call(at, { method, headers: { authorization: `Bearer ${key}` } });
        return { status: response.status, text: (await response.text()).replaceAll(/req_[0-9a-f]+/g, 'req') };
      });
      const [one, two, three] = await Promise.all(responses);
      expect([at, one]).toEqual([at, three]);
      expect([at, two]).toEqual([at, three]);
      expect([at, three?.status]).toEqual([at, 401]);
    }
  });
});

describe('GET /admin/v1/keys', () => {
  it('lists configured keys first, page by page, without secrets', async () => {
    for (const name of ['page-1', 'page-2', 'page-3']) {
      nowMs += 1;
      await rig.createKey(name);
    }
    const names: unknown[] = [];
    let after = '';
    for (let more: unknown = true; more === true;) {
      const { body } = await rig.admin('GET', `keys?limit=2${after}`);
      const data = body['data'] as { name: string; id?: string; source: string }[]; // a page
      expect(data.length).toBeGreaterThan(0);
      expect(data.length).toBeLessThanOrEqual(2);
      names.push(...data.map(({ name }) => name));
      after = `&after=${data.at(-1)?.id ?? data.at(-1)?.name}`;
      more = body['has_more'];
    }
    expect(names.slice(0, 3)).toEqual(['alice', 'bob', 'carol']);
    expect(names.slice(-3)).toEqual(['page-1', 'page-2', 'page-3']);
    expect(new Set(names).size).toBe(names.length);
    const { body: last } = await rig.admin('GET', `keys?limit=${names.length - 3}&after=carol`);
    expect([last['data'], last['has_more']]).toEqual([expect.objectContaining({ length: names.length - 3 }), false]);
    const { body } = await rig.admin('GET', 'keys?limit=100');
    expect(body['data']).toHaveLength(names.length);
    expect(JSON.stringify(body)).not.toMatch(/sk-|hash/);
  });

  it.each(['limit=0', 'limit=101', 'limit=x', 'limit=1&limit=2', 'after=nobody', 'page=2'])(
    'rejects %s',
    async (query) => {
      const { status, body } = await rig.admin('GET', `keys?${query}`);
      expect(status).toBe(400);
      expect(body).toMatchObject({ error: { code: 'invalid_request', param: query.split('=')[0] } });
    },
  );
});

describe('a configured key', () => {
  it('can be read but not changed', async () => {
    const { body } = await rig.admin('GET', 'keys/carol');
    expect(body).toEqual({
      object: 'key',
      name: 'carol',
      source: 'configuration',
      status: 'active',
      models: ['film'],
      strict: false,
      vendor_references: false,
    });
    for (const call of [
      rig.admin('PATCH', 'keys/carol', { strict: true }),
      rig.admin('DELETE', 'keys/carol'),
      rig.admin('POST', 'keys/carol/rotate'),
    ]) {
      expect(await call).toMatchObject({ status: 400, body: { error: { message: /configuration/ } } });
    }
    expect(await rig.statusWith(KEYS.carol)).toBe(200);
  });

  it('reserves its name: no stored key can have it', async () => {
    const { status, body } = await rig.admin('POST', 'keys', { name: 'alice' });
    expect([status, body]).toMatchObject([400, { error: { param: 'name' } }]);
  });
});

/** Bodies of `POST keys` and `PATCH keys/bad`, and the field that the error names, or null. */
const NEW: [body: unknown, param: string | null][] = [
  [{}, 'name'],
  ['', 'name'],
  ['null', null],
  ['[]', null],
  ['"x"', null],
  ['{', null],
  [{ name: '' }, 'name'],
  [{ name: 7 }, 'name'],
  [{ name: 'key_1' }, 'name'],
  [{ name: 'a/b' }, 'name'],
  [{ name: 'bad' }, 'name'],
  [{ name: 'x', key: 'sk-mine-mine' }, 'key'],
  [{ name: 'x', id: 'key_1' }, 'id'],
  ['{"name": "x", "__proto__": {"models": []}}', '__proto__'],
  [{ name: 'x', revoked_at: 1 }, 'revoked_at'],
];
const BOTH: [body: Record<string, unknown>, param: string | null][] = [
  [{ models: 'film' }, 'models'],
  [{ models: [''] }, 'models[0]'],
  [{ models: ['a', 1] }, 'models[1]'],
  [{ strict: 'yes' }, 'strict'],
  [{ vendor_references: 1 }, 'vendor_references'],
  [{ limits: 5 }, 'limits'],
  [{ limits: { rpm: 0 } }, 'limits[rpm]'],
  [{ limits: { rpm: 1.5 } }, 'limits[rpm]'],
  [{ limits: { tpm: '9' } }, 'limits[tpm]'],
  [{ limits: { rps: 1 } }, 'limits[rps]'],
  [{ budget: {} }, 'budget[usd]'],
  [{ budget: { usd: -1 } }, 'budget[usd]'],
  [{ budget: { usd: 1, period: 'week' } }, 'budget[period]'],
  [{ budget: { usd: 1, eur: 1 } }, 'budget[eur]'],
  [{ expires_at: 0 }, 'expires_at'],
  [{ expires_at: 1 }, 'expires_at'],
  [{ expires_at: '2030-01-01' }, 'expires_at'],
  [{ expires_at: 1_900_000_000_000 }, 'expires_at'],
  [{ expires_at: 1_900_000_000.5 }, 'expires_at'],
  [{ model: ['film'] }, 'model'],
];

/** An error response that names the field. */
function refused(param: string | null) {
  return { status: 400, body: { error: { code: 'invalid_request', type: 'invalid_request_error', param } } };
}

describe('invalid input', () => {
  beforeAll(async () => {
    await rig.createKey('bad', { models: ['film'] });
  });

  it.each(NEW)('does not create a key from %j', async (body, param) => {
    const before = await rig.admin('GET', 'keys?limit=100');
    expect(await rig.admin('POST', 'keys', body)).toMatchObject(refused(param));
    expect(await rig.admin('GET', 'keys?limit=100')).toEqual(before);
  });

  it.each(BOTH)('neither creates nor changes a key with %j', async (body, param) => {
    const before = await rig.admin('GET', 'keys/bad');
    expect(await rig.admin('POST', 'keys', { name: 'never', ...body })).toMatchObject(refused(param));
    expect(await rig.admin('PATCH', 'keys/bad', body)).toMatchObject(refused(param));
    expect((await rig.admin('GET', 'keys/never')).status).toBe(404);
    expect(await rig.admin('GET', 'keys/bad')).toEqual(before);
  });

  it.each([
    [{ grace_seconds: -1 }, 'grace_seconds'],
    [{ grace_seconds: 1.5 }, 'grace_seconds'],
    [{ grace_seconds: '60' }, 'grace_seconds'],
    [{ grace_seconds: 31 * 24 * HOUR }, 'grace_seconds'],
    [{ grace: 60 }, 'grace'],
    ['[]', null],
  ])('does not rotate a key with %j', async (body, param) => {
    const before = await rig.admin('GET', 'keys/bad');
    expect(await rig.admin('POST', 'keys/bad/rotate', body)).toMatchObject(refused(param));
    expect(await rig.admin('GET', 'keys/bad')).toEqual(before);
  });

  it.each([
    ['GET', 'keys/nobody'],
    ['GET', 'keys/key_0'],
    ['GET', 'keys/%20'],
    ['GET', `keys/${'x'.repeat(900)}`],
    ['PATCH', 'keys/nobody'],
    ['DELETE', 'keys/nobody'],
    ['POST', 'keys/nobody/rotate'],
  ])('returns 404 for %s %s', async (method, at) => {
    const body = method === 'GET' ? undefined : {};
    expect(await rig.admin(method, at, body)).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
  });

  it('rejects a body that is not JSON or is too large', async () => {
    const form = new FormData();
    form.set('name', 'x');
    const headers = { authorization: `Bearer ${ADMIN_KEY}` };
    const init = { method: 'POST', headers };
    expect((await rig.call('/admin/v1/keys', { ...init, body: form })).status).toBe(415);
    expect((await rig.call('/admin/v1/keys', { ...init, body: 'name=x' })).status).toBe(415);
    expect((await rig.admin('POST', 'keys', { name: 'x', models: ['m'.repeat(2_000_000)] })).status).toBe(413);
    expect((await rig.admin('POST', 'keys', '[['.repeat(10_000))).status).toBe(400);
  });

  it('rejects a body where the endpoint takes none', async () => {
    expect(await rig.admin('DELETE', 'keys/bad', { really: true })).toMatchObject(refused('really'));
    expect((await rig.admin('GET', 'keys/bad')).body['status']).toBe('active');
  });
});

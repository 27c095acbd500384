import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AdminRig, adminRig } from '../../test/admin-rig.ts';
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
    const settings = { models: ['video'], limits: { rpm: 100 }, budget: { usd: 5 } };
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
      models: ['video'],
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

  it('changes single labels, and rejects invalid ones', async () => {
    await rig.createKey('labeled', { labels: { team: 'search', env: 'prod' } });
    const change = (labels: unknown) => rig.admin('PATCH', 'keys/labeled', { labels });
    expect(await change({ env: null, tier: 'gold' })).toMatchObject({
      status: 200,
      body: { labels: { team: 'search', tier: 'gold' } },
    });
    const many = Object.fromEntries(Array.from({ length: 7 }, (_, index) => [`l${index}`, 'a']));
    for (const wrong of [{ 'a b': 'x' }, { team: '' }, { team: 'a,b' }, { team: 'x'.repeat(129) }, many]) {
      expect(await change(wrong)).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } });
    }
    expect((await rig.admin('GET', 'keys/labeled')).body['labels']).toEqual({ team: 'search', tier: 'gold' });
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
    const key = await rig.createKey('maker', { models: ['video'] });
    const video = await rig.create({ prompt: 'a kite', model: 'video' }, {}, key);
    const { id } = (await video.json()) as { id: string }; // The cast is safe because every created video has an id.
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
      // The cast is safe because the response is a list page.
      const data = body['data'] as { name: string; id?: string; source: string }[];
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
});

describe('a configured key', () => {
  it('can be read but not changed', async () => {
    const { body } = await rig.admin('GET', 'keys/carol');
    expect(body).toEqual({
      object: 'key',
      name: 'carol',
      source: 'configuration',
      status: 'active',
      models: ['video'],
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
});

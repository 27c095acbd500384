import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KEYS } from '../../../test/api-rig.ts';
import { type AdminRig, adminRig } from '../../../test/admin-rig.ts';
import { type CountingVendor, countingVendor } from '../../../test/pools/counting-vendor.ts';

const NAMES = ['one', 'two', 'three', 'four', 'five'];

let vendor: CountingVendor;
let rigs: AdminRig[];
beforeEach(async () => {
  vendor = await countingVendor();
  rigs = [];
});
afterEach(async () => {
  for (const rig of rigs) await rig.close();
  await vendor.close();
});

interface Pool {
  names?: readonly string[];
  limits?: Record<string, unknown>;
  model?: Record<string, unknown>;
  processes?: number;
  other?: boolean;
}

/** Starts API processes that share Redis and a pool. */
async function start({ names = NAMES, limits = {}, model = {}, processes = 1, other = false }: Pool = {}) {
  const credentials = names.map((name) => ({ name, api_key: `sk-${name}`, ...limits }));
  const acme = { kind: 'chat-completions', base_url: `${vendor.url}/v1`, credentials };
  const backup = { kind: 'chat-completions', base_url: `${vendor.url}/v1`, api_key: 'sk-backup' };
  const routes = ['acme', ...(other ? ['backup'] : [])].map((upstream) => ({ upstream, model: 'large' }));
  const price = { input: 1_000, output: 0 };
  for (let at = 0; at < processes; at += 1) {
    const [first] = rigs;
    const rig = await adminRig({
      ...(first && { prefix: first.tasks.prefix }),
      config: {
        upstreams: { acme, backup },
        models: [{ id: 'chat', routes, price, capabilities: ['text'], ...model }],
      },
    });
    rigs.push(rig);
  }
}

async function say(conversation: string, turn = 0, rig = rigs[turn % rigs.length], fields = {}): Promise<Response> {
  if (!rig) throw new Error('not started');
  const messages = Array.from({ length: turn + 1 }, (_, at) => ({
    role: 'user',
    content: at ? `turn ${at}` : conversation,
  }));
  const response = await rig.call('/v1/chat/completions', {
    method: 'POST',
    headers: { authorization: `Bearer ${KEYS.alice}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'chat', messages, ...fields }),
  });
  await response.clone().text();
  return response;
}

/** Sends turns of conversations concurrently. */
async function converse(conversations: readonly string[], turns: number): Promise<void> {
  await Promise.all(
    conversations.map(async (conversation) => {
      for (let turn = 0; turn < turns; turn += 1) {
        const response = await say(conversation, turn);
        expect(response.status, await response.clone().text()).toBe(200);
      }
    }),
  );
}

const conversations = Array.from({ length: 200 }, (_, at) => `conversation ${at}`);

/** The credential of each conversation. Fails if one has several. */
function credentialsOf(from = 0): Map<string, string> {
  const found = new Map<string, string>();
  for (const { conversation, key, status } of vendor.served.slice(from)) {
    if (status !== 200) continue;
    expect(found.get(conversation) ?? key).toBe(key);
    found.set(conversation, key);
  }
  return found;
}

async function poolOf(rig = rigs[0]) {
  const { body } = (await rig?.admin('GET', 'upstreams')) ?? {};
  // The cast is safe because this is the documented form.
  const acme = ((body?.['data'] ?? []) as { name: string; pool: Record<string, unknown>[] }[]).find(
    ({ name }) => name === 'acme',
  );
  return Object.fromEntries((acme?.pool ?? []).map((one) => [String(one['name']), one]));
}

describe('conversations over a pool', () => {
  it('stay with their credential in every process, and use every credential', async () => {
    await start({ processes: 2 });
    await converse(conversations, 3);
    const found = credentialsOf();
    expect(found.size).toBe(200);
    const counts = Map.groupBy(found, ([, key]) => key);
    // The expected count is 40. Fewer than 15 would be five standard deviations away.
    for (const name of NAMES) expect(counts.get(`sk-${name}`)?.length ?? 0).toBeGreaterThan(15);
  });

  it('move only from the credential that the vendor limits, also in the other process, and return afterward', async () => {
    await start({ processes: 2 });
    await converse(conversations, 1);
    const before = credentialsOf();
    vendor.refuse.set('sk-two', { status: 429, headers: { 'retry-after': '8' } });
    await say([...before].find(([, key]) => key === 'sk-two')?.[0] ?? '', 0, rigs[0]);
    await expect
      .poll(async () => (await poolOf(rigs[1]))['two'])
      .toMatchObject({ state: 'resting', reason: 'rate_limited' });
    const from = vendor.served.length;
    await converse(conversations, 2);
    const during = credentialsOf(from);
    for (const [conversation, key] of before) {
      if (key === 'sk-two') expect(during.get(conversation)).not.toBe('sk-two');
      else expect(during.get(conversation)).toBe(key);
    }
    // The resting credential was called once, by the request that found out.
    expect(vendor.served.filter(({ status }) => status === 429)).toHaveLength(1);
    vendor.refuse.clear();
    await expect.poll(async () => (await poolOf())['two']).toMatchObject({ state: 'ready' });
    const after = vendor.served.length;
    await converse(conversations.slice(0, 50), 1);
    for (const [conversation, key] of credentialsOf(after)) expect(key).toBe(before.get(conversation));
  });

  it('use the next route only if no credential of the first can serve', async () => {
    await start({ names: ['one', 'two'], other: true });
    vendor.refuse.set('sk-one', { status: 429, headers: { 'retry-after': '60' } });
    await converse(conversations.slice(0, 20), 1);
    expect(new Set(credentialsOf().values())).toEqual(new Set(['sk-two']));
    vendor.refuse.set('sk-two', { status: 429, headers: { 'retry-after': '60' } });
    const response = await say('another');
    expect(response.headers.get('x-sluice-upstream')).toBe('backup');
    const log = rigs[0]
      ?.logs()
      .split('\n')
      .findLast((line) => line.includes('"msg":"request"'));
    expect(log).toContain('"credential":"two"');
    await say('yet another');
    expect(vendor.served.at(-1)?.key).toBe('sk-backup');
    expect(vendor.served.filter(({ status }) => status === 429)).toHaveLength(2);
  });

  it('do not try other credentials after a failure of the upstream', async () => {
    await start({ names: ['one', 'two', 'three'], other: true });
    for (const name of NAMES) vendor.refuse.set(`sk-${name}`, { status: 500 });
    const response = await say('hello');
    expect(response.headers.get('x-sluice-upstream')).toBe('backup');
    expect(vendor.served).toHaveLength(2);
  });

  it('report a wait if every credential rests', async () => {
    await start({ names: ['one', 'two'] });
    for (const name of NAMES) vendor.refuse.set(`sk-${name}`, { status: 429, headers: { 'retry-after': '30' } });
    expect((await say('hello')).status).toBe(429);
    const response = await say('hello');
    expect(vendor.served).toHaveLength(2);
    expect(response.status).toBe(429);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(25);
    expect(await response.json()).toMatchObject({ error: { code: 'rate_limit_exceeded' } });
  });
});

describe('rejected and exhausted credentials', () => {
  it('takes a rejected credential out, with an alarm that names no secret', async () => {
    await start({ names: ['one', 'two'] });
    vendor.refuse.set('sk-one', { status: 401, code: 'invalid_api_key' });
    await converse(conversations.slice(0, 30), 1);
    expect(vendor.served.filter(({ key }) => key === 'sk-one')).toHaveLength(1);
    expect((await poolOf())['one']).toMatchObject({ state: 'rejected', reason: 'rejected' });
    const [rig] = rigs;
    expect(rig?.logs()).toMatch(/"level":"error"[^\n]*"credential":"one"[^\n]*credential rejected/);
    const metrics = await (await rig?.call('/metrics'))?.text();
    expect(metrics).toContain('sluice_credential_state{upstream="acme",credential="one"} 2');
    expect(metrics).toContain('sluice_credential_rests_total{upstream="acme",credential="one",reason="rejected"} 1');
    expect(JSON.stringify(await poolOf()) + rig?.logs() + metrics).not.toContain('sk-one');
  });

  it('rests a credential without quota until the vendor may have reset it', async () => {
    await start({ names: ['one', 'two'] });
    vendor.refuse.set('sk-one', { status: 429, code: 'insufficient_quota' });
    await converse(conversations.slice(0, 30), 1);
    const { one } = await poolOf();
    expect(one).toMatchObject({ state: 'resting', reason: 'quota' });
    expect(Number(one?.['rest_ms'])).toBeGreaterThan(500_000);
  });

  it('rests by the rate-limit headers of the vendor', async () => {
    await start({ names: ['one', 'two'] });
    const headers = { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '2m0s' };
    vendor.refuse.set('sk-one', { status: 429, headers });
    await converse(conversations.slice(0, 30), 1);
    expect(Number((await poolOf())['one']?.['rest_ms'])).toBeGreaterThan(110_000);
  });

  it('rests a credential whose budget is spent', async () => {
    // A request costs one cent.
    await start({ names: ['one', 'two'], limits: { budget: { usd: 0.05, period: 'day' } } });
    for (let sent = 0; sent < 6; sent += 1) await say(`hello ${sent}`);
    for (let sent = 0; sent < 30; sent += 1) await say(`hello ${sent}`).catch(() => undefined);
    await expect
      .poll(async () => Object.values(await poolOf()).map(({ state }) => state))
      .toEqual(['resting', 'resting']);
    expect((await say('hello')).status).toBe(429);
  });
});

describe('limits of credentials', () => {
  it('are never exceeded at the vendor by several processes', async () => {
    vendor = await replaced(20);
    await start({ limits: { rpm: 30, max_in_flight: 4 }, processes: 3 });
    const begun = performance.now();
    let served = 0;
    // The processes use nearly all of the 150 requests. A slow machine needs more time for them.
    const isOver = () => performance.now() > begun + (served > 130 ? 4_000 : 30_000);
    const client = async (at: number): Promise<void> => {
      while (!isOver()) {
        const { status } = await say(`conversation ${at}`, at);
        if (status === 200) served += 1;
        else expect(status).toBe(429);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    };
    await Promise.all(Array.from({ length: 60 }, (_, at) => client(at)));
    expect(vendor.served).toHaveLength(served);
    for (const name of NAMES) {
      expect(vendor.served.filter(({ key }) => key === `sk-${name}`).length).toBeLessThanOrEqual(30);
      expect(vendor.maxInFlight(`sk-${name}`)).toBeLessThanOrEqual(4);
    }
    expect(served).toBeGreaterThan(130);
  });

  it('count the tokens that the vendor reports, not the estimate', async () => {
    await start({ names: ['one'], limits: { tpm: 5_000 } });
    // The estimate is 4,096 output tokens, and the vendor reports 12 tokens.
    for (let sent = 0; sent < 10; sent += 1) expect((await say(`hello ${sent}`)).status).toBe(200);
    expect((await say('hello', 0, rigs[0], { max_tokens: 6_000 })).status).toBe(429);
  });
});

async function replaced(ms: number): Promise<CountingVendor> {
  await vendor.close();
  return countingVendor(ms);
}

import { type Config, ConfigSchema, upstreamSettings } from '@sluice/config';
import { buildUpstreams } from '@sluice/upstreams';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type AdminRig, adminRig } from '../../../test/admin-rig.ts';
import { KEYS } from '../../../test/api-rig.ts';
import { type CountingVendor, countingVendor } from '../../../test/pools/counting-vendor.ts';

let vendor: CountingVendor;
let rig: AdminRig;
beforeEach(async () => {
  vendor = await countingVendor();
  rig = await adminRig({
    config: {
      upstreams: upstreams(['one', 'two']),
      models: [{ id: 'chat', routes: [{ upstream: 'acme', model: 'large' }], capabilities: ['text'] }],
    },
  });
});
afterEach(async () => {
  await rig.close();
  await vendor.close();
});

const LOGGER = { debug: () => undefined, warn: () => undefined };

/** @param secrets by which the credentials are named too, unless they have another name */
function upstreams(secrets: readonly string[], names = secrets, limits: Record<string, unknown> = {}) {
  const credentials = secrets.map((secret, at) => ({ name: names[at], api_key: `sk-${secret}`, ...limits }));
  return { acme: { kind: 'chat-completions', base_url: `${vendor.url}/v1`, credentials } };
}

function sections(...pool: Parameters<typeof upstreams>): Pick<Config, 'upstreams'> {
  return { upstreams: ConfigSchema.shape.upstreams.parse(upstreams(...pool)) };
}

async function reload(...pool: Parameters<typeof upstreams>): Promise<void> {
  const config = { ...rig.config, ...sections(...pool) };
  await rig.apply(config, buildUpstreams({ ...upstreamSettings(config), logger: LOGGER }), ['acme']);
}

async function say(conversation: string): Promise<number> {
  const response = await rig.call('/v1/chat/completions', {
    method: 'POST',
    headers: { authorization: `Bearer ${KEYS.alice}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'chat', messages: [{ role: 'user', content: conversation }] }),
  });
  await response.arrayBuffer();
  return response.status;
}

/** Says a turn of 40 conversations. @returns the secret that served each */
async function converse(): Promise<string[]> {
  const from = vendor.served.length;
  const statuses = await Promise.all(Array.from({ length: 40 }, (_, at) => say(`conversation ${at}`)));
  expect(new Set(statuses)).toEqual(new Set([200]));
  const served = vendor.served.slice(from).filter(({ status }) => status === 200);
  const keys = new Map(served.map(({ conversation, key }) => [conversation, key]));
  return Array.from({ length: 40 }, (_, at) => keys.get(`conversation ${at}`) ?? '');
}

it('moves only the conversations of a removed credential, and only to an added one', async () => {
  const before = await converse();
  expect(new Set(before)).toEqual(new Set(['sk-one', 'sk-two']));
  await reload(['one', 'two', 'three']);
  const added = await converse();
  expect(added).toContain('sk-three');
  for (const [at, key] of added.entries()) expect([before[at], 'sk-three']).toContain(key);
  await reload(['one', 'three']);
  const removed = await converse();
  expect(removed).not.toContain('sk-two');
  for (const [at, key] of added.entries()) if (key !== 'sk-two') expect(removed[at]).toBe(key);
});

it('uses a replaced secret at once, although the vendor rejected the former one', async () => {
  vendor.refuse.set('sk-one', { status: 401, code: 'invalid_api_key' });
  expect(new Set(await converse())).toEqual(new Set(['sk-two']));
  await reload(['new', 'two'], ['one', 'two']);
  expect(new Set(await converse())).toEqual(new Set(['sk-new', 'sk-two']));
  expect(await rig.metrics.render()).toContain('sluice_credential_state{upstream="acme",credential="one"} 0');
});

it('refuses no request while new credentials get their parts of the limits', async () => {
  const answered = converse();
  await reload(['three', 'four'], ['three', 'four'], { rpm: 1_000, max_in_flight: 100 });
  await answered;
  expect(new Set(await converse())).toEqual(new Set(['sk-three', 'sk-four']));
});

it('applies new limits to the calls of the last minute', async () => {
  await converse();
  await reload(['one', 'two'], ['one', 'two'], { rpm: 1 });
  await expect.poll(() => say('hello')).toBe(200);
  for (let sent = 0; sent < 5; sent += 1) await say(`again ${sent}`);
  const from = vendor.served.length;
  expect(await say('once more')).toBe(429);
  expect(vendor.served).toHaveLength(from);
});

it('removes a pool, and its metrics', async () => {
  const config = {
    ...rig.config,
    upstreams: ConfigSchema.shape.upstreams.parse({
      acme: { kind: 'chat-completions', base_url: `${vendor.url}/v1`, api_key: 'sk-only' },
    }),
  };
  await rig.apply(config, buildUpstreams({ ...upstreamSettings(config), logger: LOGGER }), ['acme']);
  expect(new Set(await converse())).toEqual(new Set(['sk-only']));
  expect(await rig.metrics.render()).not.toContain('sluice_credential_state{');
});

it('shows no secret in the configuration and in the preview of a reload', async () => {
  const { body: shown } = await rig.admin('GET', 'configuration');
  const text = JSON.stringify({
    keys: [{ name: 'alice', key: KEYS.alice }],
    upstreams: upstreams(['one', 'secret-of-another']),
  });
  const { status, body: preview } = await rig.admin('PUT', 'config', { text, dry_run: true });
  expect(status, JSON.stringify(preview)).toBe(200);
  expect(JSON.stringify(preview['changes'])).toContain('upstreams.acme.credentials[secret-of-another]');
  expect(JSON.stringify(shown)).toContain('{"name":"one","api_key":"(secret)"');
  expect(JSON.stringify([shown, preview]) + rig.logs()).not.toContain('sk-');
});

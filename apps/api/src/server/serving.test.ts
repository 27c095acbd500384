import { type Config, ConfigSchema, upstreamSettings } from '@sluice/config';
import { buildUpstreams } from '@sluice/upstreams';
import { afterEach, describe, expect, it } from 'vitest';
import { type AdminRig, adminRig } from '../../test/admin-rig.ts';
import { KEYS } from '../../test/api-rig.ts';

let rig: AdminRig;
afterEach(() => rig.close());

const LOGGER = { debug: () => undefined, warn: () => undefined };

/** Swaps the rig's configuration for one with other sections. */
async function apply(sections: Partial<Config>, changed: string[] = []): Promise<void> {
  const config = { ...rig.config, ...sections };
  await rig.apply(config, buildUpstreams({ ...upstreamSettings(config), logger: LOGGER }), changed);
}

const DORA = 'sk-dora-key-0001';
const dora = ConfigSchema.shape.keys.parse([{ name: 'dora', key: DORA }]);

describe('a swap of the configuration', () => {
  it('changes the keys and the models for the next request, and in the admin API', async () => {
    rig = await adminRig();
    expect(await rig.statusWith(KEYS.bob)).toBe(200);
    const models = ConfigSchema.shape.models.parse([
      { id: 'another', routes: [{ upstream: 'vendor', model: 'model-1' }] },
    ]);
    await apply({ keys: dora, models });
    expect(await rig.statusWith(KEYS.bob)).toBe(401);
    expect(await rig.statusWith(DORA)).toBe(200);
    const listed = await rig.call('/v1/models', { headers: { authorization: `Bearer ${DORA}` } });
    expect(await listed.json()).toMatchObject({ data: [{ id: 'another' }] });
    const { body } = await rig.admin('GET', 'configuration');
    expect(body).toMatchObject({ running: { keys: [{ name: 'dora' }], models: [{ id: 'another' }] } });
    expect((await rig.admin('GET', 'keys/dora')).status).toBe(200);
    expect((await rig.admin('GET', 'keys/bob')).status).toBe(404);
  });

  it('lets a request that waits finish with its own configuration', async () => {
    rig = await adminRig();
    const waiting = rig.create({ prompt: 'slow' }, { prefer: 'wait=1' });
    await expect.poll(() => rig.taskIds()).toHaveLength(1);
    await apply({ keys: dora });
    expect((await waiting).status).toBe(200);
  });

  it('refuses the name of a configured key for new keys, and keeps the name of a removed one', async () => {
    rig = await adminRig();
    await apply({ keys: dora });
    expect((await rig.admin('POST', 'keys', { name: 'dora' })).status).toBe(400);
    // A name that was ever configured stays reserved, so that no other key inherits its tasks.
    expect((await rig.admin('POST', 'keys', { name: 'bob' })).status).toBe(400);
    expect((await rig.admin('POST', 'keys', { name: 'emil' })).status).toBe(201);
  });

  it('changes nothing if the new configuration cannot be built', async () => {
    rig = await adminRig();
    const models = new Proxy([], {
      get: () => {
        throw new Error('unreadable');
      },
    });
    await expect(apply({ keys: dora, models })).rejects.toThrow('unreadable');
    expect(await rig.statusWith(KEYS.bob)).toBe(200);
    expect(await rig.statusWith(DORA)).toBe(401);
  });

  it('shows circuit breakers only of upstreams in force', async () => {
    const added = { kind: 'chat-completions', base_url: 'http://chat.test/v1' };
    rig = await adminRig({ config: { upstreams: { chat: added } } });
    expect(await rig.metrics.render()).toContain('sluice_circuit_breaker_state{upstream="chat"');
    const { chat: _removed, ...upstreams } = rig.config.upstreams;
    await apply({ upstreams }, ['chat']);
    expect(await rig.metrics.render()).not.toContain('upstream="chat"');
  });
});

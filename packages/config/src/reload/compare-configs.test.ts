import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Config, ConfigSchema } from '../schema/schema.ts';
import { applicableIssues, compareConfigs } from './compare-configs.ts';
import { configVersion } from './config-version.ts';

const SECRET = 'a secret of the test';

function configOf(file: object): Config {
  const parsed = ConfigSchema.parse(file);
  return { ...parsed, dataDir: '/data', contentDir: '/data/content', disabledUpstreams: [], disabledModels: [] };
}

const key = { name: 'a', key: 'sk-a-key-00000001' };
const acme = { kind: 'videos', base_url: 'https://a.example/v1', api_key: 'sk-vendor-0001' };
const base = { keys: [key], upstreams: { acme }, models: [{ id: 'm', routes: [{ upstream: 'acme', model: 'x' }] }] };

describe('compareConfigs', () => {
  it.each([
    ['a key', { keys: [{ ...key, key: 'sk-another-key-2' }] }, ['keys[a].key'], []],
    ['a limit', { keys: [{ ...key, limits: { rpm: 3 } }] }, ['keys[a].limits'], []],
    ['a credential', { upstreams: { acme: { ...acme, api_key: 'sk-new' } } }, ['upstreams.acme.api_key'], []],
    ['a timeout', { timeouts: { poll_ms: 9 } }, ['timeouts.poll_ms'], []],
    ['a fixed timeout', { timeouts: { redis_ms: 9 } }, [], ['timeouts.redis_ms']],
    ['the port', { server: { port: 9 } }, [], ['server.port']],
    ['both', { server: { port: 9 }, routing: { failures: 9 } }, ['routing.failures'], ['server.port']],
    ['the prefix', { redis: { prefix: 'b' } }, [], ['redis.prefix']],
    ['origins of webhooks', { webhooks: { allow: ['https://b.example'] } }, ['webhooks.allow'], []],
    ['a timeout of webhooks', { webhooks: { timeout_ms: 9 } }, [], ['webhooks.timeout_ms']],
    ['nothing', {}, [], []],
  ])('names a change of %s', (_name, sections, changed, restart) => {
    const running = configOf(base);
    const next = configOf({ ...base, ...sections });
    const difference = compareConfigs(running, next);
    expect(difference.changes.map(({ path }) => path)).toEqual(changed);
    expect(difference.restart).toEqual(restart);
    expect(JSON.stringify(difference.changes)).not.toMatch(/sk-/);
    const isSwapped = changed.length > 0;
    expect(configVersion(difference.applicable, SECRET) !== configVersion(running, SECRET)).toBe(isSwapped);
  });

  it('finds each changed upstream', () => {
    const upstreams = { acme: { ...acme, max_in_flight: 2 }, added: acme };
    expect(compareConfigs(configOf(base), configOf({ ...base, upstreams })).upstreams).toEqual(['acme', 'added']);
  });

  it('refuses values that conflict with running ones', () => {
    const upstreams = { acme: { ...acme, max_submitting: 60 } };
    const next = configOf({ ...base, upstreams, tasks: { concurrency: 100 } });
    const { applicable } = compareConfigs(configOf(base), next);
    const [issue] = applicableIssues(applicable, () => 'sluice.yaml:1:1');
    expect(issue).toMatchObject({ where: 'sluice.yaml:1:1', path: ['upstreams', 'acme', 'max_submitting'] });
  });

  it('has nothing left to change after it was applied, for any values', () => {
    const numbers = fc.record({
      server: fc.record({ port: fc.integer({ min: 0, max: 65_535 }) }),
      timeouts: fc.record({ redis_ms: fc.integer({ min: 1, max: 9 }), poll_ms: fc.integer({ min: 1, max: 9 }) }),
      limits: fc.record({ json_bytes: fc.integer({ min: 1, max: 9 }), answer_bytes: fc.integer({ min: 1, max: 9 }) }),
      webhooks: fc.record({ per_host: fc.integer({ min: 1, max: 9 }) }),
      routing: fc.record({ failures: fc.integer({ min: 1, max: 9 }) }),
    });
    fc.assert(
      fc.property(numbers, numbers, (one, other) => {
        const running = configOf({ ...base, ...one });
        const next = configOf({ ...base, ...other });
        const { applicable, restart } = compareConfigs(running, next);
        const again = compareConfigs(applicable, next);
        expect(again.changes).toEqual([]);
        expect(again.restart).toEqual(restart);
        expect(applicable.server).toEqual(running.server);
        expect(applicable.routing).toEqual(next.routing);
        expect(configVersion(applicable, SECRET)).toBe(configVersion(next, SECRET));
      }),
    );
  });
});

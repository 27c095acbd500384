import { describe, expect, it } from 'vitest';
import { ConfigSchema } from './schema.ts';

describe('ConfigSchema', () => {
  it('fills an empty configuration with defaults', () => {
    expect(ConfigSchema.parse({})).toMatchObject({
      server: { host: '127.0.0.1', port: 8080 },
      redis: { url: 'embedded', prefix: 'sluice' },
      keys: [],
      upstreams: {},
      models: [],
      tasks: { lock_ms: 15_000, queue_deadline_ms: 86_400_000, run_deadline_ms: 3_600_000 },
      limits: { json_bytes: 33_554_432, upload_bytes: 536_870_912, header_bytes: 32_768 },
    });
  });

  it('keeps submissions and polls under a third of the lock by default', () => {
    const { timeouts, tasks } = ConfigSchema.parse({});
    expect(Math.max(timeouts.submit_ms, timeouts.poll_ms) * 3).toBeLessThanOrEqual(tasks.lock_ms);
  });

  it.each([
    ['fifteen letters', false],
    ['sixteen letters!', true],
  ])('accepts %j as a secret: %s', (secret, taken) => {
    expect(ConfigSchema.safeParse({ server: { secret } }).success).toBe(taken);
  });

  it.each([
    ['10.0.0.1', true],
    ['10.0.0.0/8', true],
    ['2001:db8::/32', true],
    ['::1', true],
    ['0.0.0.0/0', false],
    ['10.0.0.0/33', false],
    ['2001:db8::/129', false],
    ['10.0.0', false],
    ['fe80::1%eth0', false],
    ['loopback', false],
    ['', false],
  ])('accepts %j as a trusted proxy: %s', (proxy, taken) => {
    expect(ConfigSchema.safeParse({ server: { trusted_proxies: [proxy] } }).success).toBe(taken);
  });

  it('gives a key no permission by default', () => {
    expect(ConfigSchema.parse({ keys: [{ name: 'a', key: 'aaaaaaaa' }] }).keys).toEqual([
      { name: 'a', key: 'aaaaaaaa', strict: false, vendor_references: false },
    ]);
  });

  it('rejects times beyond the limit of timers, which would fire at once', () => {
    const month = 30 * 86_400_000;
    expect(ConfigSchema.safeParse({ timeouts: { realtime_session_ms: month } }).success).toBe(false);
    expect(ConfigSchema.safeParse({ responses: { retention_ms: month } }).success).toBe(true);
  });
});

import { expect, it } from 'vitest';
import { ConfigSchema } from '../schema/schema.ts';
import { webhookOrigins, webhookSettings } from './webhook-settings.ts';

it('keeps deliveries as long as tasks and retries for more than a day', () => {
  const settings = webhookSettings(ConfigSchema.parse({ tasks: { retention_ms: 1_000 } }));
  expect(settings).toMatchObject({ retentionMs: 1_000, timeoutMs: 15_000, perHost: 4 });
  expect(settings.retryMs.reduce((sum, wait) => sum + wait, 0)).toBeGreaterThan(24 * 3_600_000);
});

it('allows the download origins and the webhook origins', () => {
  const config = ConfigSchema.parse({
    webhooks: { allow: ['http://hooks.internal:9000/', 'http://files.internal'] },
    download: { allow: ['http://files.internal:80/'] },
  });
  expect(webhookOrigins(config)).toEqual(['http://hooks.internal:9000', 'http://files.internal']);
});

it('rejects an origin with a path, which would not narrow it', () => {
  expect(ConfigSchema.safeParse({ webhooks: { allow: ['http://hooks.internal:9000/path'] } }).success).toBe(false);
});

import { expect, it } from 'vitest';
import { ConfigSchema } from '../schema/schema.ts';
import { webhookOrigins, webhookSettings } from './webhook-settings.ts';

it('webhooks are told of for as long as tasks are kept, and tried for more than a day', () => {
  const settings = webhookSettings(ConfigSchema.parse({ tasks: { retention_ms: 1_000 } }));
  expect(settings).toMatchObject({ retentionMs: 1_000, timeoutMs: 15_000, perHost: 4 });
  expect(settings.retryMs.reduce((sum, wait) => sum + wait, 0)).toBeGreaterThan(24 * 3_600_000);
});

it('webhooks may lead where downloads may, and to origins of their own', () => {
  const config = ConfigSchema.parse({
    webhooks: { allow: ['http://hooks.internal:9000/', 'http://files.internal'] },
    download: { allow: ['http://files.internal:80/'] },
  });
  expect(webhookOrigins(config)).toEqual(['http://hooks.internal:9000', 'http://files.internal']);
});

it('an origin that may be told of has no path, which would not narrow it', () => {
  expect(ConfigSchema.safeParse({ webhooks: { allow: ['http://hooks.internal:9000/path'] } }).success).toBe(false);
});

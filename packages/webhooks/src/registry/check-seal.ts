import type { Logger } from '@sluice/telemetry';
import type { Redis } from 'ioredis';
import type { SecretBox } from './secret-box.ts';
import type { WebhookKeys } from '../store/webhook-keys.ts';

/**
 * Logs an error if this process has another `server.secret` than the process that started before it. With different
 * secrets, neither can decrypt the other's webhook secrets or verify its links. Never throws; while Redis is away,
 * nothing is compared.
 */
export async function checkSeal(
  redis: Redis,
  keys: Pick<WebhookKeys, 'seal'>,
  box: SecretBox,
  logger: Pick<Logger, 'debug' | 'error'>,
): Promise<void> {
  try {
    const before = await redis.set(keys.seal, box.seal('webhooks'), 'GET');
    if (before === null || opens(box, before)) return;
    logger.error('server.secret is another than that of the process before: set the same SLUICE_SECRET everywhere');
  } catch (err) {
    logger.debug({ err }, 'the secret could not be compared');
  }
}

function opens(box: SecretBox, sealed: string): boolean {
  try {
    box.open(sealed);
    return true;
  } catch {
    return false;
  }
}

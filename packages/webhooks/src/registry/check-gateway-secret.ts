import type { Logger } from '@sluice/telemetry';
import type { Redis } from 'ioredis';
import type { SecretCipher } from './secret-cipher.ts';
import type { WebhookKeys } from '../store/webhook-keys.ts';

/**
 * Logs an error if this process has a different `server.secret` than the process that started before it. Processes with
 * different secrets cannot decrypt each other's webhook secrets or verify each other's links. Never throws.
 */
export async function checkGatewaySecret(
  redis: Redis,
  keys: Pick<WebhookKeys, 'secretCheck'>,
  cipher: SecretCipher,
  logger: Pick<Logger, 'debug' | 'error'>,
): Promise<void> {
  try {
    const before = await redis.set(keys.secretCheck, cipher.encrypt('webhooks'), 'GET');
    if (before === null || canDecrypt(cipher, before)) return;
    logger.error('server.secret differs from that of another process; set the same SLUICE_SECRET everywhere');
  } catch (err) {
    logger.debug({ err }, 'gateway secret could not be compared');
  }
}

function canDecrypt(cipher: SecretCipher, encrypted: string): boolean {
  try {
    cipher.decrypt(encrypted);
    return true;
  } catch {
    return false;
  }
}

import type { SigningSecret } from '@sluice/canonical';
import { Webhook as Signer } from 'standardwebhooks';
import type { SecretCipher } from './secret-cipher.ts';

export type RandomBytes = (size: number) => Uint8Array;

/** Standard Webhooks requires 24 to 64 bytes. */
const SECRET_BYTES = 32;
const HINT_CHARACTERS = 4;

/** The signing secrets of a webhook or an API key, as stored in Redis. */
export interface EncryptedSecrets {
  secret: string;
  hint: string;
  /** Earlier secrets, newest first. Each of them also signs until it expires. */
  earlier: readonly EarlierSecret[];
}

export interface EarlierSecret {
  secret: string; // The encrypted secret.
  until: number; // The secret signs until this time, in Unix milliseconds.
}

/** Enough for several rotations within one grace period. */
export const MAX_EARLIER_SECRETS = 4;

export function newSecret(
  cipher: SecretCipher,
  randomBytes: RandomBytes,
): { shown: SigningSecret; stored: Pick<EncryptedSecrets, 'secret' | 'hint'> } {
  const secret = `whsec_${Buffer.from(randomBytes(SECRET_BYTES)).toString('base64')}`;
  const secretHint = hintOf(secret);
  return { shown: { secret, secretHint }, stored: { secret: cipher.encrypt(secret), hint: secretHint } };
}

function hintOf(secret: string): string {
  return `whsec_…${secret.slice(-HINT_CHARACTERS)}`;
}

/** Returns until when an earlier secret also signs, in Unix milliseconds; undefined if none is still valid. */
export function previousSecretEnd({ earlier }: Pick<EncryptedSecrets, 'earlier'>, now: number): number | undefined {
  const until = Math.max(...earlier.map((one) => one.until));
  return until > now ? until : undefined;
}

/**
 * Returns the secrets that currently sign, newest first. If an earlier secret cannot be decrypted, it is skipped. The
 * receiver has the newest secret or can get one by a rotation.
 * @param now Unix milliseconds
 * @throws Error if the newest secret cannot be decrypted
 */
export function secretsAt(stored: EncryptedSecrets, cipher: SecretCipher, now: number, onSkip: () => void): string[] {
  const secrets = [cipher.decrypt(stored.secret)];
  for (const { secret, until } of stored.earlier) {
    if (until <= now) continue;
    try {
      secrets.push(cipher.decrypt(secret));
    } catch {
      onSkip();
    }
  }
  return secrets;
}

/** Signs a message as Standard Webhooks specifies, with one signature per secret. @param at Unix milliseconds */
export function signatureHeaders(
  secrets: readonly string[],
  { id, at, body }: { id: string; at: number; body: string },
): Record<string, string> {
  const time = new Date(at);
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at / 1_000)),
    'webhook-signature': secrets.map((secret) => new Signer(secret).sign(id, time, body)).join(' '),
  };
}

import type { SigningSecret } from '@sluice/canonical';
import { Webhook as Signer } from 'standardwebhooks';
import type { SecretBox } from './secret-box.ts';

/** Gives random bytes; `crypto.randomBytes` in production. */
export type RandomBytes = (size: number) => Uint8Array;

/** Bytes of a secret; Standard Webhooks takes 24 to 64. */
const SECRET_BYTES = 32;
const HINT_CHARACTERS = 4;

/** How Redis keeps the secrets of a webhook or of a key, in a hash of its own or among other fields. */
export interface EncryptedSecrets {
  secret: string;
  hint: string;
  /** Those before it that sign as well, the newest first; some may have ended. */
  earlier: readonly EarlierSecret[];
}

/** A secret that was replaced. */
export interface EarlierSecret {
  /** Sealed. */
  secret: string;
  /** Until when it signs, Unix milliseconds. */
  until: number;
}

/** Earlier secrets that are kept at most: so many rotations within their time lose none that a receiver may still have. */
export const KEPT_EARLIER = 4;

/** Makes a secret and what is kept of it. */
export function newSecret(
  box: SecretBox,
  randomBytes: RandomBytes,
): { shown: SigningSecret; kept: Pick<EncryptedSecrets, 'secret' | 'hint'> } {
  const secret = `whsec_${Buffer.from(randomBytes(SECRET_BYTES)).toString('base64')}`;
  const secretHint = hintOf(secret);
  return { shown: { secret, secretHint }, kept: { secret: box.seal(secret), hint: secretHint } };
}

function hintOf(secret: string): string {
  return `whsec_…${secret.slice(-HINT_CHARACTERS)}`;
}

/** Until when a secret before the last rotation signs as well; undefined when none does. Unix milliseconds. */
export function previousUntil({ earlier }: Pick<EncryptedSecrets, 'earlier'>, now: number): number | undefined {
  const until = Math.max(...earlier.map((one) => one.until));
  return until > now ? until : undefined;
}

/**
 * The secrets that sign now, the newest first. An earlier one that cannot be read is left out: the receiver has the newest,
 * or gets it by rotating.
 * @param now Unix milliseconds
 * @param skipped called for each that is left out
 * @throws Error when the newest cannot be read
 */
export function secretsAt(kept: EncryptedSecrets, box: SecretBox, now: number, skipped: () => void): string[] {
  const secrets = [box.open(kept.secret)];
  for (const { secret, until } of kept.earlier) {
    if (until <= now) continue;
    try {
      secrets.push(box.open(secret));
    } catch {
      skipped();
    }
  }
  return secrets;
}

/**
 * Signs a message as Standard Webhooks has it: one signature for each secret, so that whoever knows one of them is
 * content.
 * @param at Unix milliseconds
 */
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

import type { SigningSecret } from '@sluice/canonical';
import { Webhook as Signer } from 'standardwebhooks';
import type { SecretBox } from './secret-box.ts';

/** Gives random bytes; `crypto.randomBytes` in production. */
export type RandomBytes = (size: number) => Uint8Array;

/** Bytes of a secret; Standard Webhooks takes 24 to 64. */
const SECRET_BYTES = 32;
const HINT_CHARACTERS = 4;

/** How Redis keeps the secrets of a webhook or of a key, in a hash of its own or among other fields. */
export interface SealedSecrets {
  secret: string;
  hint: string;
  /** The secret before it, empty when there is none. */
  previous: string;
  /** Until when that one signs as well, Unix milliseconds. */
  previousUntil: string;
}

/** Makes a secret and what is kept of it. */
export function newSecret(box: SecretBox, randomBytes: RandomBytes): { shown: SigningSecret; kept: SealedSecrets } {
  const secret = `whsec_${Buffer.from(randomBytes(SECRET_BYTES)).toString('base64')}`;
  const secretHint = hintOf(secret);
  const kept = { secret: box.seal(secret), hint: secretHint, previous: '', previousUntil: '' };
  return { shown: { secret, secretHint }, kept };
}

function hintOf(secret: string): string {
  return `whsec_…${secret.slice(-HINT_CHARACTERS)}`;
}

/** Until when the secret before the last rotation signs as well; undefined when it does not. Unix milliseconds. */
export function previousUntil(
  kept: Pick<SealedSecrets, 'previous' | 'previousUntil'>,
  now: number,
): number | undefined {
  const until = Number(kept.previousUntil);
  return kept.previous !== '' && until > now ? until : undefined;
}

/** The secrets that sign now, the newest first. @param now Unix milliseconds @throws Error when one cannot be read */
export function secretsAt(kept: SealedSecrets, box: SecretBox, now: number): string[] {
  const isInGrace = previousUntil(kept, now) !== undefined;
  return [kept.secret, ...(isInGrace ? [kept.previous] : [])].map((sealed) => box.open(sealed));
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

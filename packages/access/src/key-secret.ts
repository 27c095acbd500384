import { createHash } from 'node:crypto';

/** Gives random bytes; `crypto.randomBytes` in production. */
export type RandomBytes = (size: number) => Uint8Array;

const SECRET_BYTES = 32;
const ID_BYTES = 12;

/** Makes a secret: `sk-sluice-` and 43 characters that may stand in a URL, 256 bits. */
export function newSecret(randomBytes: RandomBytes): string {
  return `sk-sluice-${Buffer.from(randomBytes(SECRET_BYTES)).toString('base64url')}`;
}

/** Makes a key's id: `key_` and 24 hexadecimal digits. */
export function newKeyId(randomBytes: RandomBytes): string {
  return `key_${Buffer.from(randomBytes(ID_BYTES)).toString('hex')}`;
}

/**
 * What is kept of a secret. One round of SHA-256 is enough: a secret of 256 random bits cannot be guessed, and a look-up
 * by hash takes the same time whatever was sent.
 */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('base64');
}

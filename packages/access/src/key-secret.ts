import { hash } from 'node:crypto';

export type RandomBytes = (size: number) => Uint8Array;

const SECRET_BYTES = 32;
const ID_BYTES = 12;

/** Returns `sk-sluice-` and 43 URL-safe characters (256 bits). */
export function newSecret(randomBytes: RandomBytes): string {
  return `sk-sluice-${Buffer.from(randomBytes(SECRET_BYTES)).toString('base64url')}`;
}

/** Returns `key_` and 24 hexadecimal digits. */
export function newKeyId(randomBytes: RandomBytes): string {
  return `key_${Buffer.from(randomBytes(ID_BYTES)).toString('hex')}`;
}

/**
 * One round of SHA-256 is enough, because 256 random bits cannot be guessed. A lookup takes the same time for every
 * hash.
 */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'base64');
}

import { createHash, timingSafeEqual } from 'node:crypto';

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** A name after the key makes it another credential of the same account, e.g. for a pool. */
const NAME = /\.[a-z]+$/;

/** Compares in constant time. A period and a name may follow the key. */
export function isKey(sent: unknown, key: string): boolean {
  if (typeof sent !== 'string') return false;
  return [sent, sent.replace(NAME, '')].some((candidate) => timingSafeEqual(digest(candidate), digest(key)));
}

export function carriesBearerKey(authorization: string | undefined, key: string): boolean {
  return isKey(/^Bearer\s+(\S+)\s*$/i.exec(authorization ?? '')?.[1], key);
}

import { createHash, timingSafeEqual } from 'node:crypto';

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Compares in constant time. */
export function isKey(sent: unknown, key: string): boolean {
  return typeof sent === 'string' && timingSafeEqual(digest(sent), digest(key));
}

export function carriesBearerKey(authorization: string | undefined, key: string): boolean {
  return isKey(/^Bearer\s+(\S+)\s*$/i.exec(authorization ?? '')?.[1], key);
}

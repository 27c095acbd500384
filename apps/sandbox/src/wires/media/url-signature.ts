import { createHmac, timingSafeEqual } from 'node:crypto';

/** The signature of a result's path and expiry. */
export function signPath(secret: string, path: string, expires: string): string {
  return createHmac('sha256', secret).update(`GET\n${path}\n${expires}`).digest('hex');
}

/** Tells whether a signature is the one of a path and expiry. */
export function isSigned(secret: string, path: string, expires: string, signature: string): boolean {
  const [given, right] = [Buffer.from(signature), Buffer.from(signPath(secret, path, expires))];
  return given.length === right.length && timingSafeEqual(given, right);
}

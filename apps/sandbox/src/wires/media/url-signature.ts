import { createHmac, timingSafeEqual } from 'node:crypto';

export function signPath(secret: string, path: string, expires: string): string {
  return createHmac('sha256', secret).update(`GET\n${path}\n${expires}`).digest('hex');
}

export function isSigned(secret: string, path: string, expires: string, signature: string): boolean {
  const [sent, right] = [Buffer.from(signature), Buffer.from(signPath(secret, path, expires))];
  return sent.length === right.length && timingSafeEqual(sent, right);
}

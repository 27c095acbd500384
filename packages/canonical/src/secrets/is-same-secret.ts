import { timingSafeEqual } from 'node:crypto';

/** Compares a secret with a text from outside, in a time that does not depend on where they differ. */
export function isSameSecret(expected: string, sent: string): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(sent)];
  return one.length === other.length && timingSafeEqual(one, other);
}

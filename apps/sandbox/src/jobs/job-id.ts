import { createHash } from 'node:crypto';

/** Returns the SHA-256 as 64 hexadecimal digits. */
export function hexFrom(unique: string | Buffer): string {
  return createHash('sha256').update(unique).digest('hex');
}

export function uuidFrom(unique: string): string {
  const hex = hexFrom(unique);
  const variant = [`4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`];
  return [hex.slice(0, 8), hex.slice(8, 12), ...variant, hex.slice(20, 32)].join('-');
}

/** Returns 19 digits without a leading 0. The number exceeds JavaScript's safe integers. */
export function digitsFrom(unique: string): string {
  return (10n ** 18n + (BigInt(`0x${hexFrom(unique).slice(0, 16)}`) % (9n * 10n ** 18n))).toString();
}

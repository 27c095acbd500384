import { createCipheriv, createDecipheriv, createHmac, timingSafeEqual } from 'node:crypto';

const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts opaque values that only the vendor can check or decrypt, such as hidden reasoning. The values depend only on
 * the secret, so they remain valid after a restart.
 */
export function createSecretStore(secret: string) {
  const key = createHmac('sha256', 'sandbox secret store').update(secret).digest();
  const mac = (purpose: string, parts: readonly string[]) =>
    createHmac('sha256', key)
      .update(JSON.stringify([purpose, ...parts]))
      .digest();
  return {
    sign: (purpose: string, ...parts: string[]): string => mac(purpose, parts).toString('base64'),
    signed(signature: string, purpose: string, ...parts: string[]): boolean {
      const sent = Buffer.from(signature, 'base64');
      const right = mac(purpose, parts);
      return sent.length === right.length && timingSafeEqual(sent, right);
    },
    /** Encrypts deterministically and returns base64. */
    encrypt(purpose: string, text: string): string {
      const iv = mac(`iv ${purpose}`, [text]).subarray(0, IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(purpose));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64');
    },
    /** Returns undefined if the value was modified, was not created here, or has another purpose. */
    decrypt(purpose: string, ciphertext: string): string | undefined {
      const bytes = Buffer.from(ciphertext, 'base64');
      // Lenient base64 decoding would accept a modified value.
      const exact = [bytes.toString('base64'), bytes.toString('base64url')]
        .map(unpadded)
        .includes(unpadded(ciphertext));
      if (!exact || bytes.length < IV_BYTES + TAG_BYTES) return undefined;
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES));
      decipher.setAAD(Buffer.from(purpose)).setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      try {
        return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
      } catch {
        return undefined;
      }
    },
  };
}

/** Protobuf clients send bytes as base64 or URL-safe base64, with or without padding. */
const unpadded = (base64: string) => base64.replace(/={1,2}$/, '');

export type SecretStore = ReturnType<typeof createSecretStore>;

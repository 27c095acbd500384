import { createCipheriv, createDecipheriv, createHmac, timingSafeEqual } from 'node:crypto';

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Makes opaque values that only their maker can check or read, as vendors do with hidden reasoning. */
export interface SecretStore {
  /** A signature over parts, in base64. */
  sign(purpose: string, ...parts: string[]): string;
  /** Whether a signature is the one of these parts. */
  signed(signature: string, purpose: string, ...parts: string[]): boolean;
  /** Encrypts text, in base64; the same text gives the same value. */
  encrypt(purpose: string, text: string): string;
  /** The text of a sealed value; undefined when it was changed or made by someone else or for another purpose. */
  decrypt(purpose: string, ciphertext: string): string | undefined;
}

/** A vault whose values outlive the process: everything follows from the secret. */
export function createSecretStore(secret: string): SecretStore {
  const key = createHmac('sha256', 'sandbox vault').update(secret).digest();
  const mac = (purpose: string, parts: readonly string[]) =>
    createHmac('sha256', key)
      .update(JSON.stringify([purpose, ...parts]))
      .digest();
  return {
    sign: (purpose, ...parts) => mac(purpose, parts).toString('base64'),
    signed(signature, purpose, ...parts) {
      const given = Buffer.from(signature, 'base64');
      const right = mac(purpose, parts);
      return given.length === right.length && timingSafeEqual(given, right);
    },
    encrypt(purpose, text) {
      const iv = mac(`iv ${purpose}`, [text]).subarray(0, IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(purpose));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64');
    },
    decrypt(purpose, ciphertext) {
      const bytes = Buffer.from(ciphertext, 'base64');
      // A decoder that skips what is no base64 would take a changed value for the right one.
      if (bytes.toString('base64') !== ciphertext || bytes.length < IV_BYTES + TAG_BYTES) return undefined;
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

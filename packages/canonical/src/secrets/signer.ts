import { createHmac } from 'node:crypto';
import { isSameSecret } from './is-same-secret.ts';

/** Signs texts that clients send back, such as the parts of a link. */
export interface Signer {
  sign: (text: string) => string;
  /** @param sent what a client sent as the signature of the text */
  isSignature: (text: string, sent: string) => boolean;
}

/** @param purpose signers of other purposes do not accept the signatures */
export function createSigner(secret: string, purpose: string): Signer {
  const key = createHmac('sha256', secret).update(purpose).digest();
  const sign = (text: string): string => createHmac('sha256', key).update(text).digest('base64url');
  return { sign, isSignature: (text, sent) => isSameSecret(sign(text), sent) };
}

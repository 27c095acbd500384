import { createHmac, createPublicKey, type KeyObject, verify, constants, timingSafeEqual } from 'node:crypto';

export interface JsonWebToken {
  header: Record<string, unknown>;
  claims: Record<string, unknown>;
  /** The text that the signature covers. */
  signed: string;
  signature: Buffer;
}

/** Parses a token without verifying it. Returns undefined for other text. */
export function parseToken(text: string): JsonWebToken | undefined {
  const [head, body, signature, ...rest] = text.split('.');
  if (head === undefined || body === undefined || signature === undefined || rest.length > 0) return undefined;
  const [header, claims] = [head, body].map(objectIn);
  if (!header || !claims) return undefined;
  return { header, claims, signed: `${head}.${body}`, signature: Buffer.from(signature, 'base64url') };
}

function objectIn(part: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** Verifies a signature with RSA and SHA-256, in both of its formats. @param key a certificate or a public key, in PEM */
export function isSignedBy({ header, signed, signature }: JsonWebToken, key: string): boolean {
  const publicKey = createPublicKey(key);
  const algorithms: Readonly<Record<string, () => boolean>> = {
    RS256: () => verify('sha256', Buffer.from(signed), publicKey, signature),
    PS256: () => verify('sha256', Buffer.from(signed), pssKey(publicKey), signature),
  };
  return algorithms[String(header['alg'])]?.() === true;
}

function pssKey(key: KeyObject) {
  return { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
}

export function signToken(claims: object, secret: string): string {
  const parts = [{ alg: 'HS256', typ: 'JWT' }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  const signed = parts.join('.');
  return `${signed}.${hmac(signed, secret).toString('base64url')}`;
}

export function hasOwnSignature({ header, signed, signature }: JsonWebToken, secret: string): boolean {
  const right = hmac(signed, secret);
  return header['alg'] === 'HS256' && signature.length === right.length && timingSafeEqual(signature, right);
}

function hmac(text: string, secret: string): Buffer {
  return createHmac('sha256', secret).update(text).digest();
}

import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { z } from 'zod';

const HeaderSchema = z.looseObject({ alg: z.literal('RS256') });

const ClaimsSchema = z.looseObject({
  iss: z.string(),
  aud: z.string(),
  sub: z.string().optional(),
  scope: z.string().optional(),
  /** Unix seconds. */
  iat: z.number(),
  exp: z.number(),
});

export type Claims = z.output<typeof ClaimsSchema>;

function parsed(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}

/** Creates a JWT (RFC 7519) with an RSA signature. */
export function signJwt(claims: Claims, privateKey: KeyObject): string {
  const head = [{ alg: 'RS256', typ: 'JWT' }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  const text = head.join('.');
  return `${text}.${sign('sha256', Buffer.from(text), privateKey).toString('base64url')}`;
}

/** Returns the claims of a JWT; undefined if it has another format or signature. Does not check its times. */
export function verifyJwt(jwt: string, privateKey: KeyObject): Claims | undefined {
  const [header = '', payload = '', signature = '', ...more] = jwt.split('.');
  if (more.length > 0 || !HeaderSchema.safeParse(parsed(header)).success) return undefined;
  const text = Buffer.from(`${header}.${payload}`);
  if (!verify('sha256', text, createPublicKey(privateKey), Buffer.from(signature, 'base64url'))) return undefined;
  return ClaimsSchema.safeParse(parsed(payload)).data;
}

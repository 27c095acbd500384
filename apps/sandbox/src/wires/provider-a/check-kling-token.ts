import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { isKey } from '../../http/bearer-key.ts';
import { parseJson } from '../../schema/json.ts';
import { klingError } from './kling-error.ts';

export interface KlingAccount {
  /** Accepted as a plain API key. Also the secret that signs tokens. */
  apiKey: string;
  accessKey: string;
  now: number;
}

const HeaderSchema = z.object({ alg: z.literal('HS256'), typ: z.literal('JWT').optional() });
const PayloadSchema = z.object({ iss: z.string(), exp: z.number(), nbf: z.number().optional() });

function decode<T>(schema: z.ZodType<T>, part: string): T | undefined {
  return schema.safeParse(parseJson(Buffer.from(part, 'base64url').toString('utf8'))).data;
}

/**
 * Checks a JWT: HS256 with the raw bytes of the secret key, `iss` with the access key, and `exp` and `nbf` in seconds
 * (Kling docs, "API Authentication").
 */
function checkToken(token: string, account: KlingAccount): void {
  const [head = '', body = '', signature = '', ...rest] = token.split('.');
  const payload = decode(PayloadSchema, body);
  if (rest.length > 0 || decode(HeaderSchema, head) === undefined || payload === undefined) {
    throw klingError(401, 1002, 'Authorization is invalid');
  }
  if (payload.iss !== account.accessKey) throw klingError(401, 1002, 'access key not found');
  const sent = Buffer.from(signature, 'base64url');
  const right = createHmac('sha256', account.apiKey).update(`${head}.${body}`).digest();
  if (sent.length !== right.length || !timingSafeEqual(sent, right)) {
    throw klingError(401, 1000, 'signature is invalid');
  }
  const seconds = account.now / 1000;
  if (payload.nbf !== undefined && seconds < payload.nbf) throw klingError(401, 1003, 'Authorization is not yet valid');
  if (seconds >= payload.exp) throw klingError(401, 1004, 'Authorization has expired');
}

/**
 * Accepts a plain API key or a JWT as the Bearer token.
 * @throws WireError 401 with a code from 1000 to 1004.
 */
export function checkKlingToken(authorization: string | undefined, account: KlingAccount): void {
  if (authorization === undefined || authorization.trim() === '') {
    throw klingError(401, 1001, 'Authorization is empty');
  }
  const token = /^Bearer\s+(\S+)\s*$/i.exec(authorization)?.[1];
  if (token === undefined) throw klingError(401, 1002, 'Authorization is invalid');
  if (!isKey(token, account.apiKey)) checkToken(token, account);
}

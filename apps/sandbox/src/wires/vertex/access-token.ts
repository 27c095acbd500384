import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { WireError } from '../../http/wire-error.ts';
import type { TextVendor } from '../../text/text-vendor.ts';
import { checkGoogleKey, generativeError } from '../google-style/google-error.ts';

type TokenVendor = Pick<TextVendor, 'secretStore' | 'newId' | 'now'>;

/** Federated tokens can be exchanged for a token of a service account. */
const TokenSchema = z.object({ kind: z.enum(['account', 'federated']), expiresAt: z.number(), id: z.string() });
const PURPOSE = 'google access token';
const PREFIX = 'ya29.';

export type TokenKind = z.output<typeof TokenSchema>['kind'];

/** Creates an access token. The sandbox needs no list of tokens, because they contain their own expiry time. */
export function createToken({ secretStore, newId, now }: TokenVendor, kind: TokenKind, lifeMs: number): string {
  const text = JSON.stringify({ kind, expiresAt: now() + lifeMs, id: newId() });
  return PREFIX + Buffer.from(secretStore.encrypt(PURPOSE, text), 'base64').toString('base64url');
}

/** @throws WireError 401 for a missing, invalid, or expired token */
export function checkToken({ headers }: FastifyRequest, { secretStore, now }: TokenVendor): TokenKind {
  const sent = /^Bearer\s+(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  if (sent === undefined) throw refused('CREDENTIALS_MISSING', 'API keys are not supported by this API.');
  const text = sent.startsWith(PREFIX) ? secretStore.decrypt(PURPOSE, sent.slice(PREFIX.length)) : undefined;
  if (text === undefined)
    throw refused('ACCESS_TOKEN_TYPE_UNSUPPORTED', 'Request had invalid authentication credentials.');
  const token = TokenSchema.parse(JSON.parse(text));
  if (token.expiresAt <= now())
    throw refused('ACCESS_TOKEN_EXPIRED', 'Request had invalid authentication credentials.');
  return token.kind;
}

function refused(reason: string, message: string): WireError {
  const info = { reason, domain: 'googleapis.com', metadata: { service: 'aiplatform.googleapis.com' } };
  const details = [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', ...info }];
  const rule =
    'Expected OAuth 2 access token, login cookie or other valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.';
  return generativeError(401, `${message} ${rule}`, details);
}

/** In express mode, the path has no project, and the credential is an API key. */
export function checkVertexCredential(request: FastifyRequest, vendor: TokenVendor & { apiKey: string }): void {
  const isExpress = !request.url.includes('/projects/');
  if (isExpress && request.headers.authorization === undefined) checkGoogleKey(request, vendor.apiKey);
  else checkToken(request, vendor);
}

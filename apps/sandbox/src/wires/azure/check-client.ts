import { X509Certificate } from 'node:crypto';
import { isKey } from '../../http/bearer-key.ts';
import { entraError } from './entra-error.ts';
import { isSignedBy, type JsonWebToken, parseToken } from './json-web-token.ts';

/** An application of the tenant. */
export interface EntraApplication {
  secret: string;
  /** The uploaded certificate, in PEM. */
  certificate?: string | undefined;
  /** The issuer whose tokens the application trusts. */
  federation?: { issuer: string; subject: string; publicKey: string } | undefined;
}

/**
 * Verifies the client of a token request: by its secret, by an assertion that its certificate signed, or by a token of
 * the trusted issuer. @throws WireError
 */
export function checkClient(
  form: Readonly<Record<string, unknown>>,
  application: EntraApplication,
  at: { tokenUrl: string; now: number },
): void {
  const { client_id: client, client_secret: secret, client_assertion: assertion } = form;
  if (typeof client !== 'string' || client === '')
    throw entraError('invalid_request', 'AADSTS900144', 'client_id is missing.');
  if (assertion === undefined) {
    if (isKey(secret, application.secret)) return;
    throw entraError('invalid_client', 'AADSTS7000215', 'Invalid client secret provided.');
  }
  const isBearer = form['client_assertion_type'] === 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
  const token = isBearer && typeof assertion === 'string' ? parseToken(assertion) : undefined;
  if (!token) throw entraError('invalid_client', 'AADSTS50027', 'JWT token is invalid or malformed.');
  if (!(Number(token.claims['exp']) * 1_000 > at.now)) {
    throw entraError('invalid_client', 'AADSTS700024', 'Client assertion is not within its valid time range.');
  }
  if (token.claims['iss'] === client) checkCertificate(token, client, application, at.tokenUrl);
  else checkFederation(token, application);
}

/** Source: Microsoft's "Application authentication certificate credentials". */
function checkCertificate(
  { header, claims, ...token }: JsonWebToken,
  client: string,
  { certificate }: EntraApplication,
  tokenUrl: string,
): void {
  const thumbprint = header['x5t#S256'];
  const known = certificate === undefined ? undefined : new X509Certificate(certificate);
  const right = known && Buffer.from(known.fingerprint256.replaceAll(':', ''), 'hex').toString('base64url');
  const isKnown = right !== undefined && String(thumbprint).replace(/=+$/, '') === right;
  const isSigned = isKnown && certificate !== undefined && isSignedBy({ header, claims, ...token }, certificate);
  if (!isSigned) throw entraError('invalid_client', 'AADSTS700027', 'The certificate is not registered.');
  if (claims['sub'] !== client || claims['aud'] !== tokenUrl) {
    throw entraError('invalid_client', 'AADSTS700023', 'Client assertion audience claim does not match.');
  }
}

function checkFederation(token: JsonWebToken, { federation }: EntraApplication): void {
  const { iss, sub, aud } = token.claims;
  const isTrusted = federation !== undefined && iss === federation.issuer && sub === federation.subject;
  if (!isTrusted || aud !== 'api://AzureADTokenExchange' || !isSignedBy(token, federation.publicKey)) {
    throw entraError('invalid_client', 'AADSTS700213', 'No matching federated identity record found.');
  }
}

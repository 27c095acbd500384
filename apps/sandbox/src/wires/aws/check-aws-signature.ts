import { headerOf, isSignature, parseAuthorization, sha256, type SignedRequest, signatureOf } from './aws-signature.ts';
import { awsError } from './aws-error.ts';

export interface AwsAccount {
  service: string;
  /** Returns the secret of an access key with its session token, or undefined if they are not valid together. */
  secretOf(accessKey: string, sessionToken: string | undefined): { secret: string } | 'expired' | undefined;
  /** Unix milliseconds. */
  now: number;
}

const SKEW_MS = 5 * 60 * 1000;

/** Parses `YYYYMMDDThhmmssZ`. Returns NaN for any other text. */
function timeOf(text: string): number {
  const [, ...parts] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text) ?? [];
  const [year = Number.NaN, month = 1, ...rest] = parts.map(Number);
  return Date.UTC(year, month - 1, ...rest);
}

function refused(exception: string, message: string) {
  return awsError(403, exception, message);
}

const MISMATCH =
  'The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method. Consult the service documentation for details.';

/**
 * Checks a Signature Version 4, with code of the sandbox only.
 * @throws WireError 403 as AWS does, for a missing, wrong, or expired signature or credential
 */
export function checkAwsSignature(request: SignedRequest, account: AwsAccount): void {
  const authorization = headerOf(request, 'authorization');
  if (authorization === undefined) {
    throw refused('MissingAuthenticationTokenException', 'Missing Authentication Token');
  }
  const parsed = parseAuthorization(authorization);
  if (!parsed) throw refused('IncompleteSignatureException', 'Authorization header is not a valid AWS signature.');
  const { scope, signedHeaders, signature } = parsed;
  const date = headerOf(request, 'x-amz-date') ?? '';
  const missing = ['host', 'x-amz-date', ...tokenHeader(request)].find((name) => !signedHeaders.includes(name));
  if (missing !== undefined) throw refused('InvalidSignatureException', `'${missing}' must be a signed header.`);
  if (!(Math.abs(account.now - timeOf(date)) <= SKEW_MS)) {
    throw refused('InvalidSignatureException', `Signature expired: ${date} is now earlier or later than allowed.`);
  }
  if (scope.service !== account.service || !date.startsWith(scope.day)) {
    const rule = `Credential should be scoped to correct service: '${account.service}'.`;
    throw refused('InvalidSignatureException', rule);
  }
  const found = account.secretOf(scope.accessKey, headerOf(request, 'x-amz-security-token'));
  if (found === 'expired') {
    throw refused('ExpiredTokenException', 'The security token included in the request is expired');
  }
  if (found === undefined) {
    throw refused('UnrecognizedClientException', 'The security token included in the request is invalid.');
  }
  const hash = headerOf(request, 'x-amz-content-sha256');
  const isOtherBody = hash !== undefined && hash !== 'UNSIGNED-PAYLOAD' && hash !== sha256(request.body);
  if (isOtherBody || !isSignature(signature, signatureOf(request, found.secret, parsed))) {
    throw refused('InvalidSignatureException', MISMATCH);
  }
}

function tokenHeader(request: SignedRequest): string[] {
  return headerOf(request, 'x-amz-security-token') === undefined ? [] : ['x-amz-security-token'];
}

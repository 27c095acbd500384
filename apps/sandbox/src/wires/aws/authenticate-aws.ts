import { isKey } from '../../http/bearer-key.ts';
import type { TextVendor } from '../../text/text-vendor.ts';
import type { SignedRequest } from './aws-signature.ts';
import { checkAwsSignature } from './check-aws-signature.ts';

/** Checks a request that is signed with the key pair or with temporary credentials. @throws WireError 403 */
export function authenticateAws(request: SignedRequest, service: string, vendor: TextVendor): void {
  const secretOf = (key: string, token: string | undefined) => {
    if (token !== undefined) return vendor.awsSessions.secretOf(key, token);
    return isKey(key, vendor.accessKey) ? { secret: vendor.apiKey } : undefined;
  };
  checkAwsSignature(request, { service, secretOf, now: vendor.now() });
}

import { generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';

const generate = promisify(generateKeyPair);
const BITS = 2048;

/** The account whose key file the sandbox serves. */
export const SERVICE_ACCOUNT = 'sandbox@sandbox-project.iam.gserviceaccount.com';
export const PROJECT = 'sandbox-project';
export const POOL =
  '//iam.googleapis.com/projects/1234567890/locations/global/workloadIdentityPools/sandbox/providers/sandbox';
export const SUBJECT_ISSUER = 'https://issuer.sandbox.example';
export const CLOUD_PLATFORM = 'https://www.googleapis.com/auth/cloud-platform';

let key: Promise<KeyObject> | undefined;

/** The private key of the service account, and of the identity provider. It is created for the first use. */
export function accountKey(): Promise<KeyObject> {
  key ??= generate('rsa', { modulusLength: BITS }).then(({ privateKey }) => privateKey);
  return key;
}

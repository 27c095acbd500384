import { readFile } from 'node:fs/promises';
import { z } from 'zod';

/** Credentials are sent to these URLs, so they must have TLS, unless they are on the same machine. */
const SecureUrl = z.url().refine((text) => {
  const { protocol, hostname } = new URL(text);
  return (
    protocol === 'https:' || (protocol === 'http:' && /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname))
  );
}, 'must be an https:// URL, unless its host is on the same machine');

const ServiceAccountSchema = z.looseObject({
  type: z.literal('service_account'),
  client_email: z.string().min(1),
  private_key: z.string().min(1),
  private_key_id: z.string().optional(),
  token_uri: SecureUrl.default('https://oauth2.googleapis.com/token'),
});

const WorkloadSchema = z.looseObject({
  type: z.literal('external_account'),
  audience: z.string().min(1),
  subject_token_type: z.string().min(1),
  token_url: SecureUrl,
  service_account_impersonation_url: SecureUrl.optional(),
  // Programs and certificates as sources are not supported.
  credential_source: z.union([
    z.looseObject({ file: z.string().min(1) }),
    // The metadata services of other clouds have no TLS.
    z.looseObject({ url: z.url(), headers: z.record(z.string(), z.string()).optional() }),
  ]),
});

/** The files that Google's console and `gcloud` create. Fields that are not listed are passed to the library. */
const CredentialsSchema = z.discriminatedUnion('type', [ServiceAccountSchema, WorkloadSchema]);

export type GoogleCredentials = z.output<typeof CredentialsSchema>;

/** Reads the file for each token, so that it can be replaced. @throws Error without the file's content */
export async function readCredentialsFile(path: string): Promise<GoogleCredentials> {
  const text = await readFile(path, 'utf8');
  const { data, error } = CredentialsSchema.safeParse(parsed(text));
  if (data) return data;
  const [issue] = error.issues;
  const field = issue?.path.join('.') || 'the file';
  throw new Error(`${path} is not a file of credentials: ${field}: ${issue?.message ?? 'invalid'}`);
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

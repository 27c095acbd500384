import { z } from 'zod';
import { AWS_IDENTITIES } from './aws-schema.ts';
import { AZURE_IDENTITIES } from './azure-schema.ts';
import { GOOGLE_IDENTITIES } from './google-schema.ts';

/** All identities. The `type` begins with the name of the cloud. */
export const IdentitySchema = z.discriminatedUnion('type', [
  ...AWS_IDENTITIES,
  ...AZURE_IDENTITIES,
  ...GOOGLE_IDENTITIES,
]);

export type IdentityConfig = z.output<typeof IdentitySchema>;

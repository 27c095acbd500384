import { z } from 'zod';
import { requiredText } from './identity-fields.ts';

/** The identities of Google Cloud. */
export const GOOGLE_IDENTITIES = [
  z.strictObject({
    type: z.literal('google-credentials'),
    credentials_file: requiredText().describe(
      'The JSON file with the key of a service account, or with a configuration of workload identity federation, e.g. `${GOOGLE_APPLICATION_CREDENTIALS}`. Sluice reads it again for each token.',
    ),
  }),
  z.strictObject({
    type: z.literal('google-metadata'),
    service_account: requiredText()
      .optional()
      .describe("The email address of the service account. If omitted, the machine's default one."),
  }),
] as const;

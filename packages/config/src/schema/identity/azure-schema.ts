import { z } from 'zod';
import { requiredText, secureUrl } from './identity-fields.ts';

const scope = () =>
  requiredText()
    .regex(/^\S+\/\.default$/, 'must end with /.default')
    .default('https://cognitiveservices.azure.com/.default')
    .describe('The permission of the tokens.');

const ENTRA = {
  tenant_id: requiredText().describe('The id or the domain of the tenant.'),
  client_id: requiredText().describe('The id of the application.'),
  scope: scope(),
  authority_host: secureUrl()
    .default('https://login.microsoftonline.com')
    .describe('The host of Microsoft Entra ID. Other clouds have other hosts.'),
};

/** The identities of Microsoft Entra ID. */
export const AZURE_IDENTITIES = [
  z.strictObject({
    type: z.literal('azure-client-secret'),
    ...ENTRA,
    client_secret: requiredText().describe('The secret of the application.'),
  }),
  z.strictObject({
    type: z.literal('azure-certificate'),
    ...ENTRA,
    certificate: requiredText()
      .includes('-----BEGIN', { error: 'must be a certificate and its private key in PEM format, e.g. `${file:PATH}`' })
      .describe('The certificate of the application and its private key, in PEM format. Use `${file:PATH}`.'),
    certificate_password: requiredText().optional().describe('The password of the private key.'),
  }),
  z.strictObject({
    type: z.literal('azure-workload-identity'),
    ...ENTRA,
    token_file: requiredText().describe("The file with the platform's token, e.g. `${AZURE_FEDERATED_TOKEN_FILE}`."),
  }),
  z.strictObject({
    type: z.literal('azure-managed-identity'),
    client_id: requiredText()
      .optional()
      .describe('The client id of a user-assigned identity. If omitted, the system-assigned one.'),
    scope: scope(),
    endpoint: secureUrl().optional().describe("The origin of the metadata service. If omitted, the platform's."),
  }),
] as const;

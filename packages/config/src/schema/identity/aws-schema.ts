import { z } from 'zod';
import { requiredText, secureUrl } from './identity-fields.ts';

const roleArn = () =>
  z
    .string()
    .regex(
      /^arn:aws[a-z-]*:iam::\d{12}:role\/\S+$/,
      'must be the ARN of a role, e.g. arn:aws:iam::123456789012:role/sluice',
    );

const AWS = {
  region: z
    .string()
    .regex(/^[a-z]{2}(?:-[a-z0-9]+)+-\d+$/, 'must be a region, e.g. us-east-1')
    .default('us-east-1')
    .describe('The region of AWS STS, and of signatures for hosts that do not name their region.'),
  assume_role: roleArn().optional().describe('The ARN of a role. Sluice assumes it with this identity (AssumeRole).'),
  external_id: requiredText().optional().describe('The external id that the role of `assume_role` requires.'),
  session_name: z
    .string()
    .regex(/^[\w+=,.@-]{2,64}$/, 'must have 2 to 64 letters, digits, or characters of _+=,.@-')
    .default('sluice')
    .describe('The name of the sessions, which AWS logs.'),
  sts_endpoint: secureUrl().optional().describe("The origin of AWS STS. If omitted, the region's."),
};

/** The addresses of Amazon ECS and of EKS Pod Identity, as in AWS's SDK. */
const CONTAINER_HOSTS = new Set(['169.254.170.2', '169.254.170.23', '[fd00:ec2::23]']);

const containerUrl = () =>
  z.url({ protocol: /^https?$/ }).refine((text) => {
    const url = URL.parse(text);
    return !url || CONTAINER_HOSTS.has(url.hostname) || secureUrl().safeParse(text).success;
  }, 'must be an https:// URL, or an address of the container platform or of the same machine');

export const AWS_IDENTITIES = [
  z.strictObject({
    type: z.literal('aws-access-key'),
    access_key: requiredText().describe('The id of the access key.'),
    secret_key: requiredText().describe('The secret of the access key.'),
    session_token: requiredText().optional().describe('The session token of a temporary access key.'),
    ...AWS,
  }),
  z.strictObject({
    type: z.literal('aws-profile'),
    profile: requiredText().default('default').describe('The name of a profile in the files of the AWS CLI.'),
    credentials_file: requiredText().optional().describe('The path of the file. If omitted, `~/.aws/credentials`.'),
    config_file: requiredText().optional().describe('The path of the file. If omitted, `~/.aws/config`.'),
    ...AWS,
  }),
  z.strictObject({
    type: z.literal('aws-container'),
    url: containerUrl().describe(
      'The URL of the credentials: `${AWS_CONTAINER_CREDENTIALS_FULL_URI}` in EKS, and `http://169.254.170.2${AWS_CONTAINER_CREDENTIALS_RELATIVE_URI}` in ECS.',
    ),
    token_file: requiredText()
      .optional()
      .describe('The file with the token for the URL, e.g. `${AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE}` in EKS.'),
    ...AWS,
  }),
  z.strictObject({ type: z.literal('aws-instance'), ...AWS }),
  z.strictObject({
    type: z.literal('aws-web-identity'),
    role_arn: roleArn().describe('The ARN of the role, e.g. `${AWS_ROLE_ARN}`.'),
    token_file: requiredText().describe("The file with the platform's token, e.g. `${AWS_WEB_IDENTITY_TOKEN_FILE}`."),
    ...AWS,
  }),
] as const;

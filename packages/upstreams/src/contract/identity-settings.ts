import { IDENTITY_SECRETS } from '@sluice/vendors';

interface EntraOptions {
  /** The origin of Microsoft Entra ID. */
  authority_host: string;
  tenant_id: string;
  client_id: string;
  /** The permission of the tokens, which ends with `/.default`. */
  scope: string;
}

/** An identity of Microsoft Entra ID. */
export type AzureIdentity =
  | ({ type: 'azure-client-secret'; client_secret: string } & EntraOptions)
  | ({
      type: 'azure-certificate';
      /** The certificate and its private key, in PEM format. */
      certificate: string;
      certificate_password?: string | undefined;
    } & EntraOptions)
  | ({
      type: 'azure-workload-identity';
      /** The path of a file with a token of the platform, which replaces it before it expires. */
      token_file: string;
    } & EntraOptions)
  | {
      type: 'azure-managed-identity';
      /** The client id of a user-assigned identity. */
      client_id?: string | undefined;
      scope: string;
      /** The origin of the metadata service, in place of the platform's. */
      endpoint?: string | undefined;
    };

/** An identity of Google Cloud. */
export type GoogleIdentity =
  | {
      type: 'google-credentials';
      /** The path of a service account's key, or of a configuration of workload identity federation. */
      credentials_file: string;
    }
  | {
      type: 'google-metadata';
      /** The email address of the service account. The default is the machine's. */
      service_account?: string | undefined;
    };

interface AwsOptions {
  /** The region of STS, and of signatures for hosts that do not name their region. */
  region: string;
  /** The ARN of a role that the identity assumes. */
  assume_role?: string | undefined;
  external_id?: string | undefined;
  session_name: string;
  /** The origin of STS, in place of the region's. */
  sts_endpoint?: string | undefined;
}

/** An identity of AWS, whose credentials sign requests. */
export type AwsIdentity =
  | ({
      type: 'aws-access-key';
      access_key: string;
      secret_key: string;
      session_token?: string | undefined;
    } & AwsOptions)
  | ({
      type: 'aws-profile';
      profile: string;
      /** The paths of the files with profiles, in place of those in `~/.aws`. */
      credentials_file?: string | undefined;
      config_file?: string | undefined;
    } & AwsOptions)
  | ({
      type: 'aws-container';
      /** The URL of the platform's credentials. */
      url: string;
      token_file?: string | undefined;
    } & AwsOptions)
  | ({ type: 'aws-instance' } & AwsOptions)
  | ({
      type: 'aws-web-identity';
      role_arn: string;
      /** The path of a file with a token of the platform, which replaces it before it expires. */
      token_file: string;
    } & AwsOptions);

/** An identity at a cloud, with the field names of `sluice.yaml`. Its `type` begins with the name of the cloud. */
export type IdentitySettings = AwsIdentity | AzureIdentity | GoogleIdentity;

const SECRETS: ReadonlySet<string> = new Set(IDENTITY_SECRETS);

/** Names an identity without its secrets, so that the name stays the same when they are replaced. */
export function principalOf(identity: IdentitySettings): string {
  return JSON.stringify(Object.entries(identity).filter(([field]) => !SECRETS.has(field)));
}

import type * as AwsLibrary from '@aws-sdk/credential-providers';
import type { AwsIdentity } from '../../contract/identity-settings.ts';
import type { SendTokenRequest } from '../../http/token-request.ts';
import type { TimedCredential } from '../credential-cache.ts';
import type { AwsCredentials } from './aws-signer.ts';
import { stsHttpHandler } from './sts-http-handler.ts';

type Library = typeof AwsLibrary;
type Provider = () => Promise<AwsCredentials & { expiration?: Date | undefined }>;

/** In milliseconds. The services run on the same machine. */
const LOCAL = { timeout: 2_000, maxRetries: 1 };

/**
 * Loads credentials with `@aws-sdk/credential-providers`, which is loaded for the first request. Credentials without an
 * end stay until AWS rejects them. Then files are read again.
 */
export async function loadAwsCredentials(
  settings: AwsIdentity,
  send: SendTokenRequest,
): Promise<TimedCredential<AwsCredentials>> {
  const library = await import('@aws-sdk/credential-providers');
  const { region, assume_role: role, external_id: externalId, session_name: session } = settings;
  const clientConfig = {
    region,
    maxAttempts: 2,
    requestHandler: stsHttpHandler(settings.sts_endpoint, send),
    ...(settings.sts_endpoint !== undefined && { endpoint: settings.sts_endpoint }),
  };
  const own = providerOf(library, settings, clientConfig);
  const provider: Provider =
    role === undefined
      ? own
      : library.fromTemporaryCredentials({
          masterCredentials: own,
          params: {
            RoleArn: role,
            RoleSessionName: session,
            ...(externalId !== undefined && { ExternalId: externalId }),
          },
          clientConfig,
        });
  const { accessKeyId, secretAccessKey, sessionToken, expiration } = await provider();
  const value = { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) };
  return { value, expiresAt: expiration?.getTime() ?? Number.POSITIVE_INFINITY };
}

function providerOf(library: Library, settings: AwsIdentity, clientConfig: object): Provider {
  switch (settings.type) {
    case 'aws-access-key': {
      const { access_key: accessKeyId, secret_key: secretAccessKey, session_token: sessionToken } = settings;
      return async () => ({ accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) });
    }
    case 'aws-profile': {
      const { profile, credentials_file: filepath, config_file: configFilepath } = settings;
      const files = {
        ...(filepath !== undefined && { filepath }),
        ...(configFilepath !== undefined && { configFilepath }),
      };
      return library.fromIni({ profile, ...files, ignoreCache: true, clientConfig });
    }
    case 'aws-container':
      // Empty options keep the library from reading the environment.
      return library.fromHttp({
        awsContainerCredentialsFullUri: settings.url,
        awsContainerCredentialsRelativeUri: '',
        awsContainerAuthorizationToken: '',
        awsContainerAuthorizationTokenFile: settings.token_file ?? '',
        ...LOCAL,
      });
    case 'aws-instance':
      return library.fromInstanceMetadata({ ec2MetadataV1Disabled: true, ...LOCAL });
    case 'aws-web-identity':
      return library.fromTokenFile({
        roleArn: settings.role_arn,
        roleSessionName: settings.session_name,
        webIdentityTokenFile: settings.token_file,
        clientConfig,
      });
  }
}

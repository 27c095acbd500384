import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { TextVendor } from '../../text/text-vendor.ts';
import { accountKey, POOL, PROJECT, SERVICE_ACCOUNT, SUBJECT_ISSUER } from './google-account.ts';
import { signJwt } from './rs256.ts';

const LIFE_S = 3600;

/** Serves the files that operators download from Google, and the identity provider of a workload. */
export function registerCredentialFiles(scope: FastifyInstance, { now }: Pick<TextVendor, 'now'>): void {
  /** The files pass their query on to the token endpoints. */
  const urlOf = ({ protocol, host, url }: FastifyRequest, path: string) => {
    const [, search = ''] = url.split('?');
    return `${protocol}://${host}${scope.prefix}${path}${search === '' ? '' : `?${search}`}`;
  };

  scope.get('/service-account.json', (request) =>
    accountKey().then((key) => ({
      type: 'service_account',
      project_id: PROJECT,
      private_key_id: 'sandbox-key',
      private_key: key.export({ type: 'pkcs8', format: 'pem' }),
      client_email: SERVICE_ACCOUNT,
      client_id: '100000000000000000000',
      token_uri: urlOf(request, '/token'),
    })),
  );

  scope.get('/workload-identity.json', (request) => ({
    type: 'external_account',
    audience: POOL,
    subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
    token_url: urlOf(request, '/sts'),
    credential_source: {
      url: urlOf(request, '/subject-token'),
      headers: { 'x-sandbox': 'yes' },
      format: { type: 'json', subject_token_field_name: 'id_token' },
    },
    service_account_impersonation_url: urlOf(request, `/serviceAccounts/${SERVICE_ACCOUNT}:generateAccessToken`),
  }));

  // The identity provider of the workload.
  scope.get('/subject-token', async (request, reply) => {
    if (request.headers['x-sandbox'] !== 'yes') return reply.code(403).send({ error: 'x-sandbox is required' });
    const iat = Math.floor(now() / 1000);
    const claims = { iss: SUBJECT_ISSUER, sub: 'workload', aud: POOL, iat, exp: iat + LIFE_S };
    return { id_token: signJwt(claims, await accountKey()) };
  });
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { TextVendor } from '../../text/text-vendor.ts';
import { checkToken, createToken } from './access-token.ts';
import { accountKey, CLOUD_PLATFORM, POOL, SERVICE_ACCOUNT, SUBJECT_ISSUER } from './google-account.ts';
import { registerCredentialFiles } from './register-credential-files.ts';
import { type Claims, verifyJwt } from './rs256.ts';

const HOUR_S = 3600;
const SKEW_S = 300;
const JWT_GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const EXCHANGE_GRANT = 'urn:ietf:params:oauth:grant-type:token-exchange';
/** The library signs its assertions for this URL, wherever it sends them (google-auth-library 11.3.4, `jwsSign`). */
const AUDIENCE = 'https://oauth2.googleapis.com/token';

type Fields = Readonly<Record<string, string | undefined>>;
type Refuse = (error: string, description: string, status?: number) => FastifyReply;

/**
 * Serves the endpoints at which Google issues access tokens, and the files that name them. The query of a token endpoint
 * changes its behavior: `life=2` issues tokens that the APIs accept for 2 seconds only, although they are reported as
 * valid for an hour, `reported=2` also reports this time, and `fail=3` refuses the first 3 requests.
 */
export function registerGoogleTokens(scope: FastifyInstance, vendor: TextVendor): void {
  const failures = new Map<string, number>();
  const seconds = () => Math.floor(vendor.now() / 1000);

  scope.addContentTypeParser<string>(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, text, done) => done(null, Object.fromEntries(new URLSearchParams(text))),
  );

  registerCredentialFiles(scope, vendor);

  function answer(request: FastifyRequest, reply: FastifyReply, lifeOf: (life: number) => object): FastifyReply {
    const query = request.query as Fields;
    const count = (failures.get(request.url) ?? 0) + 1;
    failures.set(request.url, count);
    if (count <= Number(query['fail'] ?? 0)) return reply.code(503).send({ error: 'temporarily_unavailable' });
    const life = Number(query['life'] ?? query['reported'] ?? HOUR_S);
    return reply.send(lifeOf(life));
  }

  function issued(request: FastifyRequest, kind: 'account' | 'federated', life: number) {
    const reported = Number((request.query as Fields)['reported'] ?? HOUR_S);
    const token = createToken(vendor, kind, (kind === 'account' ? life : HOUR_S) * 1000);
    return { access_token: token, expires_in: reported, token_type: 'Bearer' };
  }

  scope.post<{ Body: Fields }>('/token', async (request, reply) => {
    const refuse = refuserOf(reply);
    const { grant_type: grant, assertion = '' } = request.body;
    if (grant !== JWT_GRANT) return refuse('unsupported_grant_type', `Invalid grant_type: ${grant}`);
    const claims = verifyJwt(assertion, await accountKey());
    if (claims?.iss !== SERVICE_ACCOUNT) return refuse('invalid_grant', 'Invalid JWT Signature.');
    if (claims.aud !== AUDIENCE) return refuse('invalid_grant', 'Invalid JWT: the audience is wrong.');
    const wrong = timesOf(claims, seconds());
    if (wrong !== undefined) return refuse('invalid_grant', wrong);
    if (!claims.scope?.split(' ').includes(CLOUD_PLATFORM)) return refuse('invalid_scope', 'Invalid OAuth scope.');
    return answer(request, reply, (life) => issued(request, 'account', life));
  });

  // RFC 8693, with the names of Google's Security Token Service.
  scope.post<{ Body: Fields }>('/sts', async (request, reply) => {
    const refuse = refuserOf(reply);
    const { body } = request;
    if (body['grant_type'] !== EXCHANGE_GRANT) return refuse('unsupported_grant_type', 'Invalid grant_type.');
    if (body['audience'] !== POOL) return refuse('invalid_target', 'The target service indicated is invalid.');
    const claims = verifyJwt(body['subject_token'] ?? '', await accountKey());
    if (claims?.iss !== SUBJECT_ISSUER || claims.aud !== POOL || timesOf(claims, seconds()) !== undefined)
      return refuse('invalid_grant', 'The subject token is not valid.');
    const issued_token_type = 'urn:ietf:params:oauth:token-type:access_token';
    return answer(request, reply, (life) => ({ ...issued(request, 'federated', life), issued_token_type }));
  });

  scope.post<{ Body: { scope?: string[] } }>(
    `/serviceAccounts/${SERVICE_ACCOUNT}::generateAccessToken`,
    (request, reply) => {
      if (checkToken(request, vendor) !== 'federated')
        return refuserOf(reply)('PERMISSION_DENIED', 'Not federated.', 403);
      if (!request.body.scope?.includes(CLOUD_PLATFORM))
        return refuserOf(reply)('INVALID_ARGUMENT', 'The scope is wrong.');
      return answer(request, reply, (life) => {
        const { access_token, expires_in } = issued(request, 'account', life);
        return { accessToken: access_token, expireTime: new Date(vendor.now() + expires_in * 1000).toISOString() };
      });
    },
  );
}

function refuserOf(reply: FastifyReply): Refuse {
  return (error, error_description, status = 400) => reply.code(status).send({ error, error_description });
}

function timesOf({ iat, exp }: Claims, now: number): string | undefined {
  const rule = 'Token must be a short-lived token (60 minutes) and in a reasonable timeframe.';
  return iat > now + SKEW_S || exp <= now || exp - iat > HOUR_S ? `Invalid JWT: ${rule}` : undefined;
}

/** Serves the metadata server of Google's virtual machines, at `/computeMetadata/v1`. */
export function registerGoogleMetadata(scope: FastifyInstance, vendor: TextVendor): void {
  scope.addHook('onRequest', async ({ headers }, reply) => {
    reply.header('metadata-flavor', 'Google');
    if (headers['metadata-flavor'] !== 'Google') return reply.code(403).send('Metadata-Flavor is required.');
  });
  scope.get('/instance', (_request, reply) => reply.send('attributes/\nservice-accounts/\n'));
  scope.get('/instance/service-accounts/default/token', () => {
    const token = createToken(vendor, 'account', HOUR_S * 1000);
    return { access_token: token, expires_in: HOUR_S, token_type: 'Bearer' };
  });
}

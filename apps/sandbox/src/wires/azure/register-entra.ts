import type { FastifyInstance, FastifyRequest } from 'fastify';
import { openScope } from '../../http/open-scope.ts';
import { checkClient, type EntraApplication } from './check-client.ts';
import { entraError } from './entra-error.ts';
import type { EntraTokens } from './entra-tokens.ts';

const SCOPE = '/.default';

/** The body of `POST /_sandbox/entra`. */
interface Control extends Omit<Partial<EntraApplication>, 'secret'> {
  /** The lifetime that token responses declare, in seconds. */
  declared_s?: number;
  /** The time for which tokens are accepted, in milliseconds. */
  accepted_ms?: number;
  /** The number of token requests to fail. */
  failures?: number;
  /** Whether to end all tokens. */
  revoke?: boolean;
}

/**
 * Serves the token endpoint of Microsoft Entra ID, and the metadata service that issues tokens of managed identities.
 * `POST /_sandbox/entra` changes their behavior, and `GET` lists the token requests.
 */
export function registerEntra(
  app: FastifyInstance,
  { apiKey, now, tokens }: { apiKey: string; now: () => number; tokens: EntraTokens },
): void {
  const application: EntraApplication = { secret: apiKey };
  const requests: string[] = [];
  let declaredS = 3_600;
  let acceptedMs = 3_600_000;
  let failures = 0;

  function issue(way: string, resource: string, client: string) {
    requests.push(way);
    if (failures > 0) {
      failures -= 1;
      throw entraError('temporarily_unavailable', 'AADSTS90033', 'A transient error has occurred.');
    }
    return tokens.issue(resource, client, acceptedMs);
  }

  app.get('/_sandbox/entra', (_request, reply) => reply.send({ requests }));
  app.post<{ Body: Control }>('/_sandbox/entra', ({ body }, reply) => {
    declaredS = body.declared_s ?? declaredS;
    acceptedMs = body.accepted_ms ?? acceptedMs;
    failures = body.failures ?? failures;
    application.certificate = body.certificate ?? application.certificate;
    application.federation = body.federation ?? application.federation;
    if (body.revoke === true) tokens.revokeAll();
    return reply.code(204).send();
  });

  void app.register(async (scope) => {
    openScope(scope, {
      requestIdHeader: 'x-ms-request-id',
      formatHttpError: (_status, message) => entraError('invalid_request', 'AADSTS900144', message),
    });
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, text, done) => {
      done(null, Object.fromEntries(new URLSearchParams(String(text))));
    });

    scope.get<{ Params: { tenant: string } }>('/:tenant/v2.0/.well-known/openid-configuration', (request) => {
      const base = authorityOf(request);
      return {
        issuer: `${base}/v2.0`,
        authorization_endpoint: `${base}/oauth2/v2.0/authorize`,
        token_endpoint: tokenUrlOf(request),
        jwks_uri: `${base}/discovery/v2.0/keys`,
      };
    });

    scope.post<{ Params: { tenant: string } }>('/:tenant/oauth2/v2.0/token', (request) => {
      const form: Readonly<Record<string, unknown>> = { ...Object(request.body) };
      if (form['grant_type'] !== 'client_credentials') {
        throw entraError('unsupported_grant_type', 'AADSTS70003', 'The grant type is not supported.');
      }
      checkClient(form, application, { tokenUrl: tokenUrlOf(request), now: now() });
      const [wanted = ''] = String(form['scope']).split(' ');
      if (!wanted.endsWith(SCOPE)) throw entraError('invalid_scope', 'AADSTS70011', 'The scope is not valid.');
      const way = form['client_assertion'] === undefined ? 'secret' : 'assertion';
      const token = issue(way, wanted.slice(0, -SCOPE.length), String(form['client_id']));
      return { token_type: 'Bearer', expires_in: declaredS, ext_expires_in: declaredS, access_token: token };
    });

    scope.get<{ Querystring: Record<string, string> }>('/metadata/identity/oauth2/token', ({ query, headers }) => {
      if (headers['metadata'] !== 'true') {
        throw entraError('invalid_request', 'AADSTS900144', 'Required metadata header not specified');
      }
      const { resource = '', client_id: client = 'system' } = query;
      const token = issue('managed', resource, client);
      const expiresOn = Math.floor(now() / 1_000) + declaredS;
      return {
        access_token: token,
        client_id: client,
        expires_in: String(declaredS),
        expires_on: String(expiresOn),
        resource,
        token_type: 'Bearer',
      };
    });
  });
}

/** Microsoft Entra ID is only available over TLS, so its own URLs are `https:`. */
function authorityOf({ headers, params }: FastifyRequest): string {
  return `https://${headers.host}/${String(Object(params).tenant)}`;
}

function tokenUrlOf(request: FastifyRequest): string {
  return `${authorityOf(request)}/oauth2/v2.0/token`;
}

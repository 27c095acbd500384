import type { FastifyInstance } from 'fastify';
import { isKey } from '../../http/bearer-key.ts';
import type { TextVendor } from '../../text/text-vendor.ts';

const ROLES = '/latest/meta-data/iam/security-credentials/';
/** The role of the container and of the instance. */
const ROLE = 'sandbox-role';

/**
 * Serves the credentials of containers, with the API key as token, and version 2 of the instance metadata service.
 * Requests without a session token of the latter are refused.
 */
export function registerMetadata(scope: FastifyInstance, vendor: TextVendor): void {
  const tokens = new Set<string>();

  const credentials = () => {
    const { accessKey, secret, token, expiresAt } = vendor.awsSessions.issue(ROLE);
    const Expiration = new Date(expiresAt).toISOString();
    return { AccessKeyId: accessKey, SecretAccessKey: secret, Token: token, Expiration };
  };

  scope.get('/aws/container', (request, reply) =>
    isKey(request.headers.authorization, vendor.apiKey)
      ? reply.send({ RoleArn: `arn:aws:iam::123456789012:role/${ROLE}`, ...credentials() })
      : reply.code(401).send({ code: 'Unauthorized', message: 'The token is not valid.' }),
  );

  scope.put('/latest/api/token', (request, reply) => {
    const seconds = Number(request.headers['x-aws-ec2-metadata-token-ttl-seconds']);
    if (!(seconds >= 1 && seconds <= 21_600)) return reply.code(400).send('');
    const token = vendor.newId();
    tokens.add(token);
    return reply.type('text/plain').send(token);
  });

  for (const path of [ROLES, ROLES + ROLE]) {
    scope.get(path, (request, reply) => {
      if (!tokens.has(String(request.headers['x-aws-ec2-metadata-token']))) return reply.code(401).send('');
      return path === ROLES
        ? reply.type('text/plain').send(ROLE)
        : reply.send({ Code: 'Success', Type: 'AWS-HMAC', ...credentials() });
    });
  }
}

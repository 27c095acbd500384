import type { FastifyInstance } from 'fastify';
import { isKey } from '../../http/bearer-key.ts';
import { WireError } from '../../http/wire-error.ts';
import { openTextScope } from '../../text/open-text-scope.ts';
import type { TextVendor } from '../../text/text-vendor.ts';
import { authenticateAws } from './authenticate-aws.ts';
import type { IssuedCredentials } from '../../text/aws-sessions.ts';

/** Serves AWS STS. Roles with `denied` or `outage` in their names fail. */
export function registerSts(scope: FastifyInstance, vendor: TextVendor): void {
  openTextScope(scope, vendor, { name: 'sts', requestIdHeader: 'x-amzn-requestid', formatHttpError: stsError });
  const form = { parseAs: 'buffer' } as const;
  scope.addContentTypeParser<Buffer>('application/x-www-form-urlencoded', form, (_request, body, done) =>
    done(null, body),
  );
  scope.post('/', async (request, reply) => {
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const fields = new URLSearchParams(body.toString());
    const action = fields.get('Action') ?? '';
    const role = /^arn:aws:iam::\d{12}:role\/(\S+)$/.exec(fields.get('RoleArn') ?? '')?.[1];
    if (role === undefined) throw stsError(400, 'RoleArn is not the ARN of a role.', 'ValidationError');
    if (!/^[\w+=,.@-]{2,64}$/.test(fields.get('RoleSessionName') ?? '')) {
      throw stsError(400, 'RoleSessionName is missing or invalid.', 'ValidationError');
    }
    if (action === 'AssumeRole') {
      const { method, url, headers } = request;
      try {
        authenticateAws({ method, url, headers, body }, 'sts', vendor);
      } catch (error) {
        throw error instanceof WireError ? stsError(403, error.message, 'SignatureDoesNotMatch') : error;
      }
    } else if (action !== 'AssumeRoleWithWebIdentity') {
      throw stsError(400, `Could not find operation ${action}.`, 'InvalidAction');
    } else if (!isKey(fields.get('WebIdentityToken'), vendor.apiKey)) {
      throw stsError(400, 'The web identity token is not valid.', 'InvalidIdentityToken');
    }
    if (role.includes('denied')) throw stsError(403, 'Not authorized to assume this role.', 'AccessDenied');
    if (role.includes('outage')) throw stsError(503, 'Service unavailable.', 'ServiceUnavailable');
    return reply.type('text/xml').send(responseOf(action, vendor.awsSessions.issue(role)));
  });
}

function responseOf(action: string, { accessKey, secret, token, expiresAt }: IssuedCredentials): string {
  const fields = {
    AccessKeyId: accessKey,
    SecretAccessKey: secret,
    SessionToken: token,
    Expiration: new Date(expiresAt).toISOString(),
  };
  const credentials = Object.entries(fields).map(([name, value]) => `<${name}>${value}</${name}>`);
  const result = `<${action}Result><Credentials>${credentials.join('')}</Credentials></${action}Result>`;
  return `<${action}Response xmlns="https://sts.amazonaws.com/doc/2011-06-15/">${result}</${action}Response>`;
}

function stsError(status: number, message: string, code = 'InvalidRequest'): WireError {
  const body = `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`;
  return new WireError(status, message, () => body, { 'content-type': 'text/xml' });
}

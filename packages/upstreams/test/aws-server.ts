import { type LocalServer, readBody, sendJson, startServer } from './local-server.ts';

export interface AwsServer extends LocalServer {
  /** The requests for credentials: paths, and parameters of STS. */
  readonly asked: string[];
  /** Access keys, session tokens, regions, and services of the calls to Bedrock and S3. */
  readonly calls: string[];
  /** Makes Bedrock and S3 reject a credential. */
  expire(accessKey: string): void;
  /** Makes all requests for credentials fail. */
  failCredentials(): void;
}

const HOUR_MS = 3_600_000;

/** AWS at one origin: Bedrock, STS, and the credentials of containers and instances. */
export async function startAws(): Promise<AwsServer> {
  const asked: string[] = [];
  const calls: string[] = [];
  const expired = new Set<string>();
  let fails = false;
  let issued = 0;
  const issue = () => {
    issued += 1;
    const Expiration = new Date(Date.now() + HOUR_MS).toISOString();
    return { AccessKeyId: `ASIA${issued}`, SecretAccessKey: `secret-${issued}`, Token: `token-${issued}`, Expiration };
  };
  const server = await startServer(async (request, response) => {
    const body = (await readBody(request)).toString();
    const { method, url = '', headers } = request;
    const isSts = url === '/' && method === 'POST';
    if (isSts || url === '/container' || url.startsWith('/latest/')) {
      asked.push(isSts ? describeSts(body, headers.authorization) : `${url} ${headers.authorization ?? ''}`.trim());
      if (fails) return void response.writeHead(403).end();
      if (isSts) return void response.end(stsResponse(new URLSearchParams(body).get('Action') ?? '', issue()));
      if (url === '/latest/api/token') return void response.end('imds-token');
      const isInstance = url.startsWith('/latest/');
      if (isInstance && headers['x-aws-ec2-metadata-token'] !== 'imds-token') return void response.writeHead(401).end();
      if (url.endsWith('/security-credentials/')) return void response.end('role');
      return sendJson(response, 200, { Code: 'Success', ...issue() });
    }
    const [, key = '', region = '', service = ''] =
      /Credential=([^/]+)\/\d+\/([^/]+)\/([^/]+)\//.exec(headers.authorization ?? '') ?? [];
    calls.push([key, headers['x-amz-security-token'], region, service].join(' '));
    if (service === 's3') {
      if (url.includes('/denied/')) return void response.writeHead(403).end();
      const error = '<Error><Code>ExpiredToken</Code></Error>';
      const isXml = expired.has(key);
      response.writeHead(isXml ? 400 : 200, { 'content-type': isXml ? 'application/xml' : 'video/mp4' });
      return void response.end(isXml ? error : 'the clip');
    }
    if (!expired.has(key)) return sendJson(response, 200, {});
    const exception = { 'x-amzn-errortype': 'ExpiredTokenException:http://internal.amazon.com/' };
    return sendJson(response, 403, { message: 'expired' }, exception);
  });
  return {
    ...server,
    asked,
    calls,
    expire: (key) => void expired.add(key),
    failCredentials: () => void (fails = true),
  };
}

function describeSts(body: string, authorization = ''): string {
  const signer = /Credential=([^/]+)/.exec(authorization)?.[1] ?? 'unsigned';
  const { Version: _version, ...parameters } = Object.fromEntries(new URLSearchParams(body));
  return `${signer} ${JSON.stringify(parameters)}`;
}

function stsResponse(action: string, credentials: { Token: string } & Record<string, string>): string {
  const { Token, ...others } = credentials;
  const fields = Object.entries({ ...others, SessionToken: Token }).map(
    ([name, value]) => `<${name}>${value}</${name}>`,
  );
  const result = `<${action}Result><Credentials>${fields.join('')}</Credentials></${action}Result>`;
  return `<${action}Response xmlns="https://sts.amazonaws.com/doc/2011-06-15/">${result}</${action}Response>`;
}

import { fastify } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WireError } from '../../http/wire-error.ts';
import type { FormatError } from './format-error.ts';
import { openMediaScope } from './open-media-scope.ts';

const format: FormatError = (fault, detail) =>
  new WireError(fault === 'unknown_call' ? 404 : fault === 'broken' ? 500 : 400, fault, (requestId) => ({
    fault,
    detail,
    requestId,
  }));

const app = fastify({ forceCloseConnections: true, genReqId: () => 'req-1', bodyLimit: 1000 });
let origin = '';

beforeAll(async () => {
  await app.register(
    async (scope) => {
      openMediaScope(scope, {
        format,
        requestIdHeader: 'x-trace',
        authenticate(request) {
          if (request.headers.authorization !== 'yes') throw new WireError(401, 'no', () => ({ fault: 'no key' }));
        },
      });
      scope.post('/echo', (request, reply) => reply.send({ body: request.body ?? 'none' }));
      scope.post('/crash', () => {
        throw new Error('a secret of the sandbox');
      });
    },
    { prefix: '/vendor' },
  );
  origin = await app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => app.close());

function post(path: string, body: string, headers: Record<string, string> = {}): Promise<Response> {
  const all = { authorization: 'yes', 'content-type': 'application/json', ...headers };
  return fetch(`${origin}${path}`, { method: 'POST', headers: all, body });
}

describe('openMediaScope', () => {
  it('reads JSON and treats an empty body as absent', async () => {
    expect(await (await post('/vendor/echo', '{"a":1}')).json()).toEqual({ body: { a: 1 } });
    expect(await (await post('/vendor/echo', ' ')).json()).toEqual({ body: 'none' });
  });

  it('checks the key before it reads, and sends a request id', async () => {
    const response = await post('/vendor/echo', '{"a":', { authorization: 'no' });
    expect([response.status, response.headers.get('x-trace'), await response.json()]).toEqual([
      401,
      'req-1',
      { fault: 'no key' },
    ]);
  });

  it('formats invalid JSON, too large bodies, unknown types, and unknown paths', async () => {
    const half = await post('/vendor/echo', '{"a":');
    expect([half.status, await half.json()]).toMatchObject([400, { fault: 'malformed', requestId: 'req-1' }]);
    const much = await post('/vendor/echo', JSON.stringify('x'.repeat(1000)));
    expect([much.status, await much.json()]).toMatchObject([413, { fault: 'malformed' }]);
    const kind = await post('/vendor/echo', '<a/>', { 'content-type': 'application/xml' });
    expect([kind.status, await kind.json()]).toMatchObject([415, { fault: 'malformed' }]);
    const nowhere = await post('/vendor/elsewhere', '{}');
    expect([nowhere.status, await nowhere.json()]).toMatchObject([
      404,
      { fault: 'unknown_call', detail: 'POST /vendor/elsewhere' },
    ]);
  });

  it('does not reveal details of a defect', async () => {
    const response = await post('/vendor/crash', '{}');
    expect([response.status, await response.text()]).toEqual([500, '{"fault":"broken","requestId":"req-1"}']);
  });
});

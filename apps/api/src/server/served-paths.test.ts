import { ENDPOINTS } from '@sluice/protocols';
import fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { noRoute } from './served-paths.ts';

/** Returns the status and the `Allow` header of a PATCH request. */
async function patch(path: string) {
  await using app = fastify();
  app.setNotFoundHandler((request, reply) => {
    const { code } = noRoute(request, reply, ENDPOINTS);
    return reply.code(404).send({ code });
  });
  const response = await app.inject({ method: 'PATCH', url: path });
  return [response.json<{ code: string }>().code, response.headers.allow];
}

describe('noRoute', () => {
  it('lists the methods of a path, and none for an unknown path', async () => {
    expect(await patch('/v1/videos')).toEqual(['method_not_allowed', 'POST, GET, HEAD']);
    expect(await patch('/v1/videos/x/cancel?a=b')).toEqual(['method_not_allowed', 'POST']);
    expect(await patch('/v1/responses/compact')).toEqual(['method_not_allowed', 'POST']);
    expect(await patch('/v1/webhooks/secret')).toEqual(['method_not_allowed', 'GET, HEAD']);
    expect(await patch('/v1beta/models/gemini:generateContent')).toEqual(['method_not_allowed', 'POST']);
    expect(await patch('/v1beta/models/gemini')).toEqual(['method_not_allowed', 'GET, HEAD']);
    expect(await patch('/v1/videosx')).toEqual(['not_found', undefined]);
    expect(await patch('/v1/videos/x/y')).toEqual(['not_found', undefined]);
  });
});

import { fastify } from 'fastify';
import { expect, it } from 'vitest';
import { sendGarbage, sendHalfJson } from './broken-responses.ts';

it('sendGarbage rotates three kinds of invalid responses', async () => {
  const app = fastify();
  app.get<{ Params: { turn: string } }>('/:turn', (request, reply) =>
    sendGarbage(reply, Number(request.params.turn), { status: 'LIMBO' }),
  );
  const bodies = [1, 2, 3, 4].map(async (turn) => (await app.inject(`/${turn}`)).body);
  expect(await Promise.all(bodies)).toEqual([
    '{"status":"LIMBO"}',
    expect.stringContaining('<html>'),
    '{"status"',
    '{"status":"LIMBO"}',
  ]);
  await app.close();
});

it('sendHalfJson announces more than it sends', async () => {
  const app = fastify({ forceCloseConnections: true });
  app.get('/', (_request, reply) => sendHalfJson(reply, { text: 'x'.repeat(1000) }));
  const response = await fetch(await app.listen({ host: '127.0.0.1', port: 0 }));
  expect([response.status, response.headers.get('content-length')]).toEqual([200, '1011']);
  await expect(response.text()).rejects.toThrow('terminated');
  await app.close();
});

import { Agent, buildConnector } from 'undici';
import { describe, expect, it } from 'vitest';
import { startServer, until } from '../../test/local-server.ts';
import { sendBuffered } from './buffered-request.ts';

const ignore = (): void => undefined;

describe('an abort while connecting', () => {
  it('rejects immediately and prevents the request even if the connection succeeds later', async () => {
    await using server = await startServer((_request, response) => response.end());
    const connect = buildConnector({ allowH2: false });
    const proceed = Promise.withResolvers<void>();
    const agent = new Agent({
      connect: (options, callback) => void proceed.promise.then(() => connect(options, callback)),
    });
    let started = false;
    const pending = sendBuffered({
      dispatcher: agent,
      method: 'POST',
      url: new URL(server.origin),
      headers: {},
      body: Buffer.from('x'),
      maxBytes: 100,
      onStart: () => (started = true),
      onBodySent: ignore,
    });
    pending.abort(new Error('enough'));
    await expect(pending.response).rejects.toThrow('enough');
    proceed.resolve();
    await until(() => server.connections() === 1);
    await expect(agent.close()).resolves.toBeNull(); // Closes when every queued request has ended.
    expect([started, server.requests.length]).toEqual([false, 0]);
  });
});

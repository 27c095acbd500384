import { setTimeout as sleep } from 'node:timers/promises';
import { Agent } from 'undici';
import { describe, expect, it } from 'vitest';
import { startServer } from '../../test/local-server.ts';
import { openingSockets } from './opening-sockets.ts';

describe('openingSockets', () => {
  it('returns the socket that a dispatch started to open, and none if one was open', async () => {
    await using server = await startServer((_request, response) => response.end('{}'));
    const sockets = openingSockets(5000);
    const agent = new Agent({ pipelining: 1, allowH2: false, connect: sockets.connect });
    const dispatch = async () => {
      const ended = Promise.withResolvers<void>();
      const opening = sockets.during(() =>
        agent.dispatch(
          { origin: server.origin, path: '/', method: 'GET' },
          {
            onResponseEnd: () => ended.resolve(),
            onRequestStart: () => undefined,
            onResponseStart: () => undefined,
            onResponseData: () => undefined,
            onResponseError: (_controller, error) => ended.reject(error),
          },
        ),
      );
      await ended.promise;
      // The connection can be reused shortly after its response.
      await sleep(50);
      return opening;
    };
    const first = await dispatch();
    expect(first?.remotePort).toBe(Number(new URL(server.origin).port));
    expect(await dispatch()).toBeUndefined();
    await agent.destroy();
  });

  it("never returns another dispatch's socket", () => {
    const sockets = openingSockets(5000);
    expect(sockets.during(() => undefined)).toBeUndefined();
  });
});

import { setTimeout as sleep } from 'node:timers/promises';
import { Agent } from 'undici';
import { describe, expect, it } from 'vitest';
import { startServer } from '../../test/local-server.ts';
import { begunSockets } from './begun-sockets.ts';

describe('begunSockets', () => {
  it('returns the socket that a dispatch started to open, and none if one was open', async () => {
    await using server = await startServer((_request, response) => response.end('{}'));
    const sockets = begunSockets(5000);
    const agent = new Agent({ pipelining: 1, allowH2: false, connect: sockets.connect });
    const dispatch = async () => {
      const ended = Promise.withResolvers<void>();
      const begun = sockets.during(() =>
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
      // The connection becomes reusable shortly after its response.
      await sleep(50);
      return begun;
    };
    const first = await dispatch();
    expect(first?.remotePort).toBe(Number(new URL(server.origin).port));
    expect(await dispatch()).toBeUndefined();
    await agent.destroy();
  });

  it("never returns another dispatch's socket", () => {
    const sockets = begunSockets(5000);
    expect(sockets.during(() => undefined)).toBeUndefined();
  });
});

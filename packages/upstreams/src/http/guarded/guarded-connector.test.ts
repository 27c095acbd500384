import type { LookupAddress } from 'node:dns';
import { describe, expect, it } from 'vitest';
import { startServer } from '../../../test/local-server.ts';
import { guardedConnector } from './guarded-connector.ts';

function connect(hostname: string, port: string, addresses: LookupAddress[] = []): Promise<string> {
  const connector = guardedConnector(2000, (_hostname, done) => done(null, addresses));
  return new Promise((resolve) => {
    connector({ hostname, protocol: 'http:', port }, (error, socket) => {
      socket?.destroy();
      resolve(error === null ? 'connected' : error.name);
    });
  });
}

describe('guardedConnector', () => {
  it('gives the socket only public addresses', async () => {
    await using server = await startServer(() => undefined);
    const { port } = new URL(server.origin);
    const internal = [
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ];
    expect(await connect('public.example', port, internal)).toBe('AddressRefusedError');
    expect(await connect('127.0.0.1', port)).toBe('AddressRefusedError');
    expect(await connect('[::1]', port)).toBe('AddressRefusedError');
    expect(server.connections()).toBe(0);
  });

  it('reports a name without an address', async () => {
    expect(await connect('public.example', '80')).toBe('AddressRefusedError');
  });
});

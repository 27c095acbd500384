import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { listenError } from './listen-error.ts';

/** Returns the message for an address that cannot be used. */
async function messageFor(host: string, port: number): Promise<string> {
  const error = await new Promise<unknown>((resolve) => {
    createServer().once('error', resolve).listen(port, host);
  });
  return String(listenError(error, { host, port }));
}

describe('listenError', () => {
  it('names SLUICE_PORT for a port in use', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    expect(await messageFor('127.0.0.1', port)).toContain(`Port ${port} on 127.0.0.1 is in use. Set \`SLUICE_PORT\``);
    server.close();
  });

  it('names SLUICE_HOST for an address of another machine', async () => {
    expect(await messageFor('192.0.2.1', 1)).toContain('no address 192.0.2.1. Set `SLUICE_HOST`');
  });

  it('names SLUICE_PORT for a privileged port', () => {
    const error = Object.assign(new Error('listen EACCES'), { code: 'EACCES' });
    expect(String(listenError(error, { host: '127.0.0.1', port: 80 }))).toContain('Port 80 requires privileges.');
  });

  it('returns other errors unchanged', () => {
    const error = new Error('other');
    expect(listenError(error, { host: 'a', port: 1 })).toBe(error);
  });
});

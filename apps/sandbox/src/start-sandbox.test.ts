import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { startSandbox } from './start-sandbox.ts';

describe('startSandbox', () => {
  it('listens on a free loopback port', async () => {
    const [one, padTwo] = await Promise.all([startSandbox(), startSandbox()]);
    expect(one.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(one.url).not.toBe(padTwo.url);
    await Promise.all([one.close(), padTwo.close()]);
  });

  it('reports a port in use', async () => {
    const first = await startSandbox();
    await expect(startSandbox({ port: Number(new URL(first.url).port) })).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await first.close();
  });

  it('listens on another port on request if the first one is taken', async () => {
    const first = await startSandbox();
    const port = Number(new URL(first.url).port);
    const second = await startSandbox({ port, anyPort: true });
    expect(second.url).not.toBe(first.url);
    expect((await fetch(`${second.url}/_sandbox/health`)).status).toBe(200);
    await Promise.all([first.close(), second.close()]);
  });

  it('closes while clients have open connections, idle or during an upload', async () => {
    const sandbox = await startSandbox();
    const { hostname, port } = new URL(sandbox.url);
    await (await fetch(`${sandbox.url}/_sandbox/health`)).text(); // This connection stays open (keep-alive).
    const stalled = connect(Number(port), hostname);
    const ended = new Promise((resolve) => stalled.once('close', resolve));
    stalled.on('error', () => undefined); // The sandbox may also end the upload by resetting the connection.
    stalled.write(
      'POST /v1/videos HTTP/1.1\r\nhost: x\r\nauthorization: Bearer sk-sandbox\r\n' +
        'content-type: multipart/form-data; boundary=b\r\ncontent-length: 5000\r\nexpect: 100-continue\r\n\r\n',
    );
    // The interim response shows that the sandbox is reading the upload.
    await new Promise((resolve) => stalled.once('data', resolve));
    await sandbox.close();
    await ended;
    await expect(fetch(`${sandbox.url}/_sandbox/health`)).rejects.toThrow('fetch failed');
  });
});

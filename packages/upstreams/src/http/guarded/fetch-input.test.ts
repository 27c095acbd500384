import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { deadOrigin, startServer } from '../../../test/local-server.ts';
import { createDownload, type Downloader } from './download.ts';
import { fetchInput } from './fetch-input.ts';

const opened: Downloader[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()));
});

const PNG = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.from('rest of the image')]);

function fetching(url: string, allowed: string, maxBytes = 10_000) {
  const downloader = createDownload({ allowOrigins: [allowed], maxBytes, idleMs: 5000 });
  opened.push(downloader);
  return fetchInput(downloader.download, url, new AbortController().signal);
}

describe('fetchInput', () => {
  it("detects the type from the first bytes, not from the server's header", async () => {
    await using server = await startServer((_request, response) =>
      response.writeHead(200, { 'content-type': 'text/plain' }).end(PNG),
    );
    const { body, mediaType } = await fetching(server.origin, server.origin);
    expect(mediaType).toBe('image/png');
    expect(Buffer.concat(await body.toArray())).toEqual(PNG);
  });

  it('accepts one byte at a time', async () => {
    await using server = await startServer(async (_request, response) => {
      for (const byte of PNG) {
        response.write(Buffer.of(byte));
        await sleep(2);
      }
      response.end();
    });
    const { body, mediaType } = await fetching(server.origin, server.origin);
    expect(mediaType).toBe('image/png');
    expect(Buffer.concat(await body.toArray())).toEqual(PNG);
  });

  it.each([
    ['image/jpeg', '\xff\xd8\xff\xe0rest of the file'],
    ['image/gif', 'GIF89arest of the file'],
    ['image/webp', 'RIFF\x10\0\0\0WEBPVP8 rest'],
    ['image/avif', '\0\0\0\x1cftypavifrest'],
  ])('accepts %s', async (type, bytes) => {
    await using server = await startServer((_request, response) => response.end(Buffer.from(bytes, 'latin1')));
    expect((await fetching(server.origin, server.origin)).mediaType).toBe(type);
  });
});

describe('fetchInput › reports to the client', () => {
  it.each([
    ['something else is there', 200, '<html>a page that is long enough</html>'],
    ['nothing is there', 200, ''],
    ['the server refuses', 404, 'gone'],
    ['it is too large', 200, 'x'.repeat(20_000)],
  ])('when %s', async (_case, status, text) => {
    await using server = await startServer((_request, response) => response.writeHead(status).end(text));
    const failing = fetching(`${server.origin}/secret`, server.origin);
    await expect(failing).rejects.toMatchObject({ name: 'GatewayError', code: 'invalid_request' });
    await expect(failing).rejects.not.toMatchObject({ message: expect.stringContaining('127.0.0.1') });
  });

  it('an address that is not public', async () => {
    await using server = await startServer((_request, response) => response.end(PNG));
    await expect(fetching(server.origin, 'https://elsewhere.example')).rejects.toMatchObject({
      code: 'invalid_request',
    });
    expect(server.connections()).toBe(0);
  });
});

describe('fetchInput › allows a retry', () => {
  it('when the server is down or returns a server error', async () => {
    const unreachable = await deadOrigin();
    await expect(fetching(unreachable, unreachable)).rejects.toMatchObject({
      name: 'DownloadError',
      failure: 'network',
    });
    await using server = await startServer((_request, response) => response.writeHead(503).end());
    await expect(fetching(server.origin, server.origin)).rejects.toMatchObject({
      name: 'DownloadError',
      failure: 'status',
    });
  });
});

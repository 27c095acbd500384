import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiRig, apiRig, KEYS, SMALL_LIMITS } from '../../test/api-rig.ts';
import { rawHttp } from '../../test/raw-http.ts';
import { sendClientError } from './send-client-error.ts';

let rig: ApiRig;
beforeAll(async () => {
  rig = await apiRig({ limits: SMALL_LIMITS });
});
afterAll(() => rig.close());

describe('an invalid HTTP request', () => {
  it.each([
    ['another protocol', '\x16\x03\x01\x02\x00\x01\x00', 400, 'invalid_request'],
    ['another version', 'GET / HTTP/9.9\r\n\r\n', 400, 'invalid_request'],
    ['a header without a name', 'GET / HTTP/1.1\r\nhost: x\r\n: y\r\n\r\n', 400, 'invalid_request'],
    ['endless headers', `GET / HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(20_000)}`, 431, 'headers_too_large'],
    ['an endless path', `GET /${'y'.repeat(20_000)} HTTP/1.1\r\nhost: x\r\n\r\n`, 431, 'headers_too_large'],
  ])('such as %s gets one error and is disconnected', async (_what, sent, status, code) => {
    const response = await rawHttp(rig.port, [sent]);
    expect(response.status).toBe(status);
    expect(JSON.parse(response.body)).toMatchObject({ error: { code, type: 'invalid_request_error', param: null } });
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(response.body.length),
      'x-should-retry': 'false',
      'x-request-id': expect.stringMatching(/^req_/),
      connection: 'close',
    });
  });

  it('gets its error after the response to the previous request', async () => {
    const good = `GET /health/live HTTP/1.1\r\nhost: x\r\nx-api-key: ${KEYS.alice}\r\n\r\n`;
    const { text } = await rawHttp(rig.port, [good, 'garbage\r\n\r\n']);
    expect(text).not.toMatch(/"status":"ok"[^}]*HTTP\/1\.1 400[^]*HTTP/);
  });

  it.each([
    ['gets an error if it has sent part of a request', 'GET / HTTP/1.1\r\nho', /^HTTP\/1\.1 400 /],
    ['is closed silently if it has sent nothing, so that the next request does not receive the error', '', /^$/],
  ])('such as an idle connection %s', async (_what, sent, expected) => {
    const server = createServer({ headersTimeout: 100, connectionsCheckingInterval: 50 });
    // The cast is safe because an HTTP server's connections are sockets.
    server.on('clientError', (error, socket) => sendClientError(error, socket as Socket, 8_192));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo; // The cast is safe because the server listens on TCP.
    expect((await rawHttp(port, [sent])).text).toMatch(expected);
    await new Promise((resolve) => server.close(resolve));
  });

  it('does not affect the next client', async () => {
    await rawHttp(rig.port, ['\0\0\0\0'], true);
    expect((await rig.call('/health/live')).status).toBe(200);
  });
});

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { KEYS } from '../../test/api-rig.ts';
import { MALFORMED_HEADERS } from '../../test/security/malformed-headers.ts';
import { MALFORMED_PATHS } from '../../test/security/malformed-paths.ts';
import { openHandles, type FullRig, fullRig } from '../../test/security/full-rig.ts';
import { expectSafeResponse } from '../../test/security/safe-response.ts';
import { rawExchange } from '../../test/security/raw-exchange.ts';

let rig: FullRig;
let filesBefore: string[];
beforeAll(async () => {
  rig = await fullRig();
  filesBefore = openHandles().files;
});
afterAll(() => rig.close());

/** Sends a request and returns its only response. Does not wait for the end of a stream. */
async function send(head: readonly string[], body = '') {
  const { text, statuses } = await rawExchange(rig.port, [[...head, '', body].join('\r\n')]);
  const end = text.indexOf('\r\n\r\n');
  const lines = text.slice(0, Math.max(end, 0)).split('\r\n').slice(1);
  const headers = new Headers(
    lines.map((line) => [line.split(':')[0] ?? '', line.slice(line.indexOf(':') + 1).trim()]),
  );
  return { statuses, headers, text, body: end === -1 ? '' : text.slice(end + 4) };
}

describe('malformed headers and parameters', () => {
  it.each(MALFORMED_HEADERS.map((one) => [one.statuses.join(' or '), one.title, one] as const))(
    '%s › %s',
    async (_statuses, title, malformed) => {
      const { lines, at, body, keyless = false } = malformed;
      const isSet = (name: string) => lines.some((line) => line.startsWith(`${name}:`));
      const json = body === undefined ? '' : JSON.stringify(body);
      const response = await send(
        [
          `${body === undefined ? 'GET' : 'POST'} ${at?.(rig.created) ?? '/v1/models'} HTTP/1.1`,
          ...(isSet('host') ? [] : ['host: x']),
          ...(keyless ? [] : [`authorization: Bearer ${KEYS.alice}`]),
          ...(isSet('connection') ? [] : ['connection: close']),
          ...(body === undefined ? [] : ['content-type: application/json', `content-length: ${json.length}`]),
          ...lines,
          // Needed because the tested `connection` header might not contain `close`.
          ...(isSet('connection') && !isSet('sec-websocket-version') ? ['connection: close'] : []),
          '',
        ],
        json,
      );
      const seen = `${title}: ${response.text.slice(0, 600)}`;
      expect(response.statuses.length, seen).toBe(1);
      for (const status of response.statuses) expect(malformed.statuses, seen).toContain(status);
      const status = response.statuses[0] ?? 0;
      expectSafeResponse(title, { status: Math.min(status, 399), headers: response.headers, body: response.body });
      expect(response.headers.get('set-cookie')).toBeNull();
      expect(response.headers.get('location')).toBeNull();
      expect(await rig.isServing()).toBe(true);
    },
  );
});

it(`serves nothing under ${MALFORMED_PATHS.length} malformed paths, with and without a key`, async () => {
  for (const path of MALFORMED_PATHS) {
    for (const method of ['GET', 'POST', 'DELETE']) {
      for (const key of [[`authorization: Bearer ${KEYS.alice}`], []]) {
        const response = await send([
          `${method} ${path} HTTP/1.1`,
          'host: x',
          ...key,
          'connection: close',
          'content-length: 0',
          '',
        ]);
        const seen = `${method} ${path}: ${response.text.slice(0, 400)}`;
        expect(response.statuses, seen).toHaveLength(1);
        const status = response.statuses[0] ?? 0;
        // Every path must be rejected, except `/v1/models` with or without a trailing slash.
        expect(status === 200 ? path : 'refused', seen).toMatch(/^(?:refused|\/v1\/models\/?)$/);
        expect(status, seen).toBeLessThan(500);
        expectSafeResponse(seen, { status: 200, headers: response.headers, body: response.body });
        expect(response.headers.get('set-cookie'), seen).toBeNull();
      }
    }
  }
  expect(await rig.isServing()).toBe(true);
}, 60_000);

it('closes every connection and file', async () => {
  await vi.waitFor(async () => expect(openHandles().files).toEqual(filesBefore), 30_000);
  await vi.waitFor(async () => expect(await rig.clients()).toBeLessThanOrEqual(2), 30_000);
  expect(rig.opened.filter((stream) => !stream.closed)).toEqual([]);
});

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { FRAMING, SMUGGLING, TARGETS } from '../../test/security/request-framing.ts';
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

describe.each([
  ['with an ambiguous end', SMUGGLING],
  ['with malformed lines and chunks', FRAMING],
  ['with a malformed request line', TARGETS],
])('requests %s', (_title, requests) => {
  it.each(requests.map((one) => [one.statuses.join(' or ') || 'connection closed', one.title, one] as const))(
    '%s › %s',
    async (_statuses, title, request) => {
      const { statuses, text, closed } = await rawExchange(rig.port, request.chunks);
      const seen = `${title}: ${statuses.join(' ')} ${text.slice(0, 400)}`;
      expect(closed, seen).toBe(true);
      expect(statuses.length, seen).toBeLessThanOrEqual(request.max ?? 1);
      if (request.statuses.length > 0) expect(statuses.length, seen).toBeGreaterThan(0);
      for (const status of statuses) expect(request.statuses, seen).toContain(status);
      expectSafeResponse(title, { status: 200, headers: new Headers(), body: text });
      expect(await rig.isServing()).toBe(true);
    },
  );
});

it('never parses a smuggled request', () => {
  expect(rig.logs()).not.toContain('/smuggled');
});

it('closes every connection and file', async () => {
  await vi.waitFor(async () => expect(openHandles().files).toEqual(filesBefore), 30_000);
  // `fetch` keeps up to two connections open for its next request.
  await vi.waitFor(async () => expect(await rig.clients()).toBeLessThanOrEqual(2), 30_000);
  expect(rig.opened.filter((stream) => !stream.closed)).toEqual([]);
});

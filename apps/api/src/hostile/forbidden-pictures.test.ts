import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
// The table is that of the guard's own tests; tests alone reach over.
import { FORBIDDEN_HOSTS, FORBIDDEN_URLS } from '../../../../packages/upstreams/test/forbidden-addresses.ts';
import { type HostileRig, hostileRig } from '../../test/hostile/hostile-rig.ts';
import { judge, judged } from '../../test/hostile/judge.ts';

const MODEL = 'by-gemini';
/** How each protocol names a picture, for an upstream that takes none by URL. */
const PLACES: Readonly<Record<string, (url: string) => [path: string, body: object]>> = {
  'chat completions': (url) => [
    '/v1/chat/completions',
    { model: MODEL, messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }] },
  ],
  messages: (url) => [
    '/v1/messages',
    {
      model: MODEL,
      max_tokens: 9,
      messages: [{ role: 'user', content: [{ type: 'image', source: { type: 'url', url } }] }],
    },
  ],
  'the result of a tool': (url) => [
    '/v1/messages',
    {
      model: MODEL,
      max_tokens: 9,
      messages: [
        { role: 'user', content: 'look' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'look', input: {} }] },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'toolu_1', content: [{ type: 'image', source: { type: 'url', url } }] },
          ],
        },
      ],
    },
  ],
  responses: (url) => [
    '/v1/responses',
    { model: MODEL, input: [{ role: 'user', content: [{ type: 'input_image', image_url: url }] }] },
  ],
};

let rig: HostileRig;
let inside: Server;
let port: number;
let connections = 0;
beforeAll(async () => {
  rig = await hostileRig();
  inside = createServer((_request, response) => response.end('secret'));
  inside.on('connection', () => (connections += 1));
  await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve));
  port = (inside.address() as AddressInfo).port; // it listens on TCP
});
afterAll(async () => {
  inside.close();
  await rig.close();
});
afterEach(() => {
  expect(connections).toBe(0);
});

describe.each(Object.entries(PLACES))('a picture in %s', (_name, place) => {
  it(`is never fetched from any of ${FORBIDDEN_HOSTS.length} addresses that are not public`, async () => {
    for (const host of FORBIDDEN_HOSTS) {
      const [path, body] = place(`http://${host}:${port}/a.png`);
      const answer = await judged(await rig.post(path, body));
      judge(host, { ...answer, status: Math.min(answer.status, 399) });
      expect([host, answer.status]).toEqual([host, 400]);
      expect(answer.body).not.toContain('secret');
    }
  });

  it(`is never fetched by any of ${FORBIDDEN_URLS.length} URLs that are no plain ones`, async () => {
    for (const url of FORBIDDEN_URLS.filter((one) => !one.startsWith('data:image/'))) {
      const [path, body] = place(url);
      const answer = await judged(await rig.post(path, body));
      expect([url, answer.status]).toEqual([url, 400]);
      expect(answer.body).not.toMatch(/root:|PRIVATE|secret/);
    }
  });

  it('is not fetched from the address of a configured upstream, though that may be called', async () => {
    const asked = rig.vendor.requests.length;
    const [path, body] = place(`${rig.vendor.url}/a.png`);
    expect((await rig.post(path, body)).status).toBe(400);
    expect(rig.vendor.requests.length).toBe(asked);
  });
});

import { type LoopbackTrap, startLoopbackTrap, TRAP_SECRET } from '@sluice/testkit';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
// These addresses are shared with the URL guard's tests.
import { FORBIDDEN_HOSTS, FORBIDDEN_URLS } from '../../../../packages/upstreams/test/forbidden-addresses.ts';
import { type FullRig, fullRig } from '../../test/security/full-rig.ts';
import { expectSafeResponse, readResponse } from '../../test/security/safe-response.ts';

const MODEL = 'by-gemini';
/** An image URL in each protocol, sent to an upstream that does not support URLs. */
const IMAGE_FIELDS: Readonly<Record<string, (url: string) => [path: string, body: object]>> = {
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
  'a tool result': (url) => [
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
  'a messages document': (url) => [
    '/v1/messages',
    {
      model: MODEL,
      max_tokens: 9,
      messages: [{ role: 'user', content: [{ type: 'document', source: { type: 'url', url } }] }],
    },
  ],
  responses: (url) => [
    '/v1/responses',
    { model: MODEL, input: [{ role: 'user', content: [{ type: 'input_image', image_url: url }] }] },
  ],
  'a responses file': (url) => [
    '/v1/responses',
    { model: MODEL, input: [{ role: 'user', content: [{ type: 'input_file', file_url: url }] }] },
  ],
};
/** Requests whose URL is forwarded to a vendor that fetches URLs itself. */
const PASSED_THROUGH: Readonly<Record<string, (url: string) => [path: string, body: object]>> = {
  ...Object.fromEntries(
    Object.entries(IMAGE_FIELDS).flatMap(([name, place]) =>
      ['by-chat', 'by-messages', 'by-responses'].map((model) => [
        `${name}, ${model}`,
        (url: string): [string, object] => {
          const [path, body] = place(url);
          return [path, { ...body, model }];
        },
      ]),
    ),
  ),
  'a generative-content file': (url) => [
    `/v1beta/models/${MODEL}:generateContent`,
    { contents: [{ role: 'user', parts: [{ fileData: { fileUri: url, mimeType: 'image/png' } }] }] },
  ],
  'a generative-content file, by-chat': (url) => [
    '/v1beta/models/by-chat:generateContent',
    { contents: [{ role: 'user', parts: [{ fileData: { fileUri: url, mimeType: 'image/png' } }] }] },
  ],
  moderations: (url) => ['/v1/moderations', { model: 'by-chat', input: [{ type: 'image_url', image_url: { url } }] }],
};

/** Combinations that the upstream's protocol does not support. They are rejected, and nothing is fetched. */
const REJECTED = new Set(['a messages document, by-chat', 'a responses file, by-chat']);

let rig: FullRig;
let inside: LoopbackTrap;
let port: number;
beforeAll(async () => {
  rig = await fullRig();
  inside = await startLoopbackTrap();
  ({ port } = inside);
});
afterAll(async () => {
  inside.close();
  await rig.close();
});
afterEach(() => {
  expect(inside.connections()).toBe(0);
});

describe.each(Object.entries(IMAGE_FIELDS))('an image in %s', (_name, place) => {
  it(`is never fetched from any of ${FORBIDDEN_HOSTS.length} private addresses`, async () => {
    for (const host of FORBIDDEN_HOSTS) {
      const [path, body] = place(`http://${host}:${port}/a.png`);
      const response = await readResponse(await rig.post(path, body));
      expectSafeResponse(host, { ...response, status: Math.min(response.status, 399) });
      expect([host, response.status]).toEqual([host, 400]);
      expect(response.body).not.toContain(TRAP_SECRET);
    }
  });

  it(`is never fetched from any of ${FORBIDDEN_URLS.length} URLs that are not plain HTTP URLs`, async () => {
    for (const url of FORBIDDEN_URLS.filter((one) => !one.startsWith('data:image/'))) {
      const [path, body] = place(url);
      const response = await readResponse(await rig.post(path, body));
      expect([url, response.status]).toEqual([url, 400]);
      expect(response.body).not.toMatch(/root:|PRIVATE|secret/);
    }
  });

  it('is not fetched from a configured upstream', async () => {
    const requestsBefore = rig.vendor.requests.length;
    const [path, body] = place(`${rig.vendor.url}/a.png`);
    expect((await rig.post(path, body)).status).toBe(400);
    expect(rig.vendor.requests.length).toBe(requestsBefore);
  });
});

describe.each(Object.entries(PASSED_THROUGH))('a URL for the vendor to fetch: %s', (name, place) => {
  it(`${REJECTED.has(name) ? 'is rejected' : 'is passed on unchanged'}, and the gateway does not connect to it`, async () => {
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '2130706433']) {
      const url = `http://${host}:${port}/a.png`;
      const requestsBefore = rig.vendor.requests.length;
      const [path, body] = place(url);
      const response = await readResponse(await rig.post(path, body));
      expectSafeResponse(url, { ...response, status: Math.min(response.status, 399) });
      const sent = rig.vendor.requests.slice(requestsBefore).map((request) => request.body.toString());
      if (REJECTED.has(name)) expect([url, response.status, sent]).toEqual([url, 400, []]);
      else expect([url, response.status, sent.join('').includes(url)]).toEqual([url, 200, true]);
    }
  });
});

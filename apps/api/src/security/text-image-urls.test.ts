import { type LoopbackTrap, startLoopbackTrap, TRAP_SECRET } from '@sluice/testkit';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
// The table is that of the guard's own tests; tests alone reach over.
import { FORBIDDEN_HOSTS, FORBIDDEN_URLS } from '../../../../packages/upstreams/test/forbidden-addresses.ts';
import { type FullRig, fullRig } from '../../test/security/full-rig.ts';
import { expectSafeResponse, readResponse } from '../../test/security/safe-response.ts';

const MODEL = 'by-gemini';
/** How each protocol names a picture, for an upstream that takes none by URL. */
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
  'a document of messages': (url) => [
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
  'a file of responses': (url) => [
    '/v1/responses',
    { model: MODEL, input: [{ role: 'user', content: [{ type: 'input_file', file_url: url }] }] },
  ],
};
/** Where a URL goes to the vendor as it is, who may fetch it for himself: a model whose vendor takes URLs, and the body. */
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
  'a file of generative content': (url) => [
    `/v1beta/models/${MODEL}:generateContent`,
    { contents: [{ role: 'user', parts: [{ fileData: { fileUri: url, mimeType: 'image/png' } }] }] },
  ],
  'a file of generative content, by-chat': (url) => [
    '/v1beta/models/by-chat:generateContent',
    { contents: [{ role: 'user', parts: [{ fileData: { fileUri: url, mimeType: 'image/png' } }] }] },
  ],
  moderations: (url) => ['/v1/moderations', { model: 'by-chat', input: [{ type: 'image_url', image_url: { url } }] }],
};

/** What an upstream cannot be told is refused; it is not fetched instead. */
const REJECTED = new Set(['a document of messages, by-chat', 'a file of responses, by-chat']);

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

describe.each(Object.entries(IMAGE_FIELDS))('a picture in %s', (_name, place) => {
  it(`is never fetched from any of ${FORBIDDEN_HOSTS.length} addresses that are not public`, async () => {
    for (const host of FORBIDDEN_HOSTS) {
      const [path, body] = place(`http://${host}:${port}/a.png`);
      const response = await readResponse(await rig.post(path, body));
      expectSafeResponse(host, { ...response, status: Math.min(response.status, 399) });
      expect([host, response.status]).toEqual([host, 400]);
      expect(response.body).not.toContain(TRAP_SECRET);
    }
  });

  it(`is never fetched by any of ${FORBIDDEN_URLS.length} URLs that are no plain ones`, async () => {
    for (const url of FORBIDDEN_URLS.filter((one) => !one.startsWith('data:image/'))) {
      const [path, body] = place(url);
      const response = await readResponse(await rig.post(path, body));
      expect([url, response.status]).toEqual([url, 400]);
      expect(response.body).not.toMatch(/root:|PRIVATE|secret/);
    }
  });

  it('is not fetched from the address of a configured upstream, though that may be called', async () => {
    const asked = rig.vendor.requests.length;
    const [path, body] = place(`${rig.vendor.url}/a.png`);
    expect((await rig.post(path, body)).status).toBe(400);
    expect(rig.vendor.requests.length).toBe(asked);
  });
});

describe.each(Object.entries(PASSED_THROUGH))('a URL that is handed on: %s', (name, place) => {
  it(`${REJECTED.has(name) ? 'is refused' : 'reaches the vendor as it is'}, and nobody here connects to it`, async () => {
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '2130706433']) {
      const url = `http://${host}:${port}/a.png`;
      const asked = rig.vendor.requests.length;
      const [path, body] = place(url);
      const response = await readResponse(await rig.post(path, body));
      expectSafeResponse(url, { ...response, status: Math.min(response.status, 399) });
      const sent = rig.vendor.requests.slice(asked).map((request) => request.body.toString());
      if (REJECTED.has(name)) expect([url, response.status, sent]).toEqual([url, 400, []]);
      else expect([url, response.status, sent.join('').includes(url)]).toEqual([url, 200, true]);
    }
  });
});

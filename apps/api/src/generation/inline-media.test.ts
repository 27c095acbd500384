import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PNG } from '../../test/raw-http.ts';
import { expectRefusal } from '../../test/refusal.ts';
import {
  chatResponse,
  type ScriptedUpstream,
  scriptedUpstream,
  sendJson,
  type TextRig,
  textRig,
} from '../../test/text-rig.ts';
import { respondWith, vendorConfig } from '../../test/vendor.ts';

/** A local server that serves images. */
let images: { url: string; requestedPaths: string[]; disconnects: number; close(): Promise<void> };
let serve: (request: IncomingMessage, response: ServerResponse) => void;
let upstream: ScriptedUpstream;
let rig: TextRig;

beforeEach(async () => {
  serve = (_request, response) => void response.end(PNG);
  images = await startImages();
  upstream = await scriptedUpstream(respondWith('a kite'));
  const { upstreams, models } = vendorConfig(upstream.url);
  const routes = [
    { upstream: 'generative-content', model: 'theirs' },
    { upstream: 'chat-completions', model: 'theirs-too' },
  ];
  rig = await textRig({
    upstreams,
    models: [...models, { id: 'either', routes }],
    download: { allow: [images.url] },
    limits: { download_bytes: 80 * 1024 * 1024 },
  });
});
afterEach(async () => {
  await rig.close();
  await upstream.close();
  await images.close();
});

async function startImages() {
  const server = createServer((request, response) => {
    imageServer.requestedPaths.push(request.url ?? '');
    response.on('close', () => {
      if (!response.writableFinished) imageServer.disconnects += 1;
    });
    serve(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const imageServer = {
    // The cast is safe because the server listens on TCP.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requestedPaths: [] as string[],
    disconnects: 0,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return imageServer;
}

const messages = (...urls: string[]) => [
  {
    role: 'user',
    content: [{ type: 'text', text: 'what is it?' }, ...urls.map((url) => ({ type: 'image_url', image_url: { url } }))],
  },
];
const sendImages = (model: string, ...urls: string[]) =>
  rig.post('/v1/chat/completions', { model, messages: messages(...urls) });
const INLINE = { mimeType: 'image/png', data: PNG.toString('base64') };

describe('an image URL', () => {
  it('is replaced by its bytes for an upstream without URL support, with the type detected from the bytes', async () => {
    serve = (_request, response) => void response.setHeader('content-type', 'text/html').end(PNG);
    const reply = await sendImages('by-gemini', `${images.url}/a.png`, `${images.url}/b.png`);
    expect(reply.status, await reply.text()).toBe(200);
    const contents = upstream.requests[0]?.body['contents'];
    expect(contents).toMatchObject([
      { parts: [{ text: 'what is it?' }, { inlineData: INLINE }, { inlineData: INLINE }] },
    ]);
    expect(upstream.requests[0]?.raw).not.toContain(images.url);
    expect(images.requestedPaths.toSorted()).toEqual(['/a.png', '/b.png']);
  });

  it('is forwarded to an upstream with URL support, and not fetched', async () => {
    for (const model of ['by-chat', 'by-messages', 'by-responses']) {
      expect((await sendImages(model, `${images.url}/a.png`)).status).toBe(200);
      expect(upstream.requests.at(-1)?.raw).toContain(`${images.url}/a.png`);
    }
    expect(images.requestedPaths).toEqual([]);
  });

  it('is fetched inside a tool result, too', async () => {
    const source = { type: 'url', url: `${images.url}/a.png` };
    const reply = await rig.post('/v1/messages', {
      model: 'by-gemini',
      max_tokens: 9,
      messages: [
        { role: 'user', content: 'draw' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'draw', input: {} }] },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: [{ type: 'image', source }] }],
        },
      ],
      tools: [{ name: 'draw', input_schema: { type: 'object' } }],
    });
    expect(reply.status, await reply.text()).toBe(200);
    expect(upstream.requests[0]?.raw).toContain(INLINE.data);
    expect(images.requestedPaths).toEqual(['/a.png']);
  });

  it.each([
    'https://www.youtube.com/watch?v=x',
    'gs://bucket/a.png',
    'https://generativelanguage.googleapis.com/v1beta/files/x',
  ])('is forwarded to Google if Google reads it itself: %s', async (url) => {
    const mine = {
      model: 'by-gemini',
      max_tokens: 9,
      messages: [{ role: 'user', content: [{ type: 'image', source: { type: 'url', url } }] }],
    };
    const reply = await rig.post('/v1/messages', mine);
    expect(reply.status, await reply.text()).toBe(200);
    expect(upstream.requests[0]?.raw).toContain(url);
    expect(images.requestedPaths).toEqual([]);
  });
});

describe('an unavailable image', () => {
  it.each([
    ['at an address that is not public', () => `${upstream.url}/a.png`],
    ['at the metadata of a cloud', () => 'http://169.254.169.254/latest/meta-data/'],
    ['at an address that is none', () => 'http://'],
    ['behind a password', () => images.url.replace('//', '//me:secret@')],
    ['in a file of ours', () => 'file:///etc/passwd'],
  ])('at %s is rejected without a request', async (_where, url) => {
    const reply = await sendImages('by-gemini', url());
    expect(reply.status).toBe(400);
    expect(await reply.text()).not.toMatch(/127\.0\.0\.1|169\.254|secret/);
    expect(upstream.requests).toEqual([]);
    expect(images.requestedPaths).toEqual([]);
  });

  it.each([
    ['is not there', 404, 'gone'],
    ['is a page', 200, '<html>this is a page and no image</html>'],
    ['is empty', 200, ''],
  ])('is rejected because it %s', async (_why, status, body) => {
    serve = (_request, response) => void response.writeHead(status).end(body);
    const reply = await sendImages('by-gemini', `${images.url}/secret.png`);
    await expectRefusal(reply, 'chat-completions', { status: 400, code: 'invalid_request' });
    expect(upstream.requests).toEqual([]);
  });

  it.each([
    [
      'has no connection for it',
      (_request: IncomingMessage, response: ServerResponse) => void response.socket?.destroy(),
    ],
    ['fails', (_request: IncomingMessage, response: ServerResponse) => void response.writeHead(503).end()],
    [
      'breaks off',
      (_request: IncomingMessage, response: ServerResponse) => {
        response.writeHead(200, { 'content-length': '99999' }).write(PNG);
        setTimeout(() => response.socket?.destroy(), 20);
      },
    ],
  ])('is the client’s retryable error if its server %s', async (_why, script) => {
    serve = script;
    const reply = await sendImages('by-gemini', `${images.url}/a.png`);
    expect(reply.status).toBe(400);
    expect(reply.headers.get('x-should-retry')).toBe('true');
    expect(await reply.json()).toMatchObject({ error: { code: 'invalid_request' } });
    expect(upstream.requests).toEqual([]);
  });

  it('does not prevent a call to an upstream that accepts the URL', async () => {
    serve = (_request, response) => void response.writeHead(503).end();
    upstream.script = (_request, response) => sendJson(response, 200, chatResponse('from the other'));
    const reply = await sendImages('either', `${images.url}/a.png`);
    expect(reply.status, await reply.clone().text()).toBe(200);
    expect(reply.headers.get('x-sluice-upstream')).toBe('chat-completions');
  });

  it('aborts the other downloads', async () => {
    serve = (request, response) => {
      response.writeHead(request.url === '/bad' ? 404 : 200);
      if (request.url === '/bad') setTimeout(() => response.end(), 50);
      else response.write(PNG);
    };
    expect((await sendImages('by-gemini', `${images.url}/slow`, `${images.url}/bad`)).status).toBe(400);
    await expect.poll(() => images.disconnects).toBe(1);
  });

  it('aborts when the client disconnects', async () => {
    serve = (_request, response) => void response.writeHead(200).write(PNG);
    const controller = new AbortController();
    const response = rig.post(
      '/v1/chat/completions',
      { model: 'by-gemini', messages: messages(`${images.url}/slow`) },
      { signal: controller.signal },
    );
    await expect.poll(() => images.requestedPaths).toHaveLength(1);
    controller.abort();
    await expect(response).rejects.toThrow();
    await expect.poll(() => images.disconnects).toBe(1);
  });
});

it('rejects images that are too large in total before they fill the memory', async () => {
  const large = Buffer.concat([PNG, Buffer.alloc(24 * 1024 * 1024)]);
  serve = (_request, response) => void response.end(large);
  const urls = ['a', 'b', 'c'].map((name) => `${images.url}/${name}.png`);
  await expectRefusal(await sendImages('by-gemini', ...urls), 'chat-completions', {
    status: 413,
    code: 'payload_too_large',
  });
  expect(upstream.requests).toEqual([]);
});

import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KEYS } from '../../test/api-rig.ts';
import { type ScriptedUpstream, scriptedUpstream, sendJson, type TextRig, textRig } from '../../test/text-rig.ts';
import { vendorConfig } from '../../test/vendor.ts';

/** A response with a field that no other protocol has. */
const head = { id: 'chatcmpl-1', object: 'chat.completion', created: 1, model: 'vendor', moderation: { id: 'modr-1' } };
const chunk = (delta: object, finish_reason: string | null) => ({
  ...head,
  choices: [{ index: 0, delta, finish_reason }],
});

let upstream: ScriptedUpstream;
let rig: TextRig;
beforeEach(async () => {
  upstream = await scriptedUpstream(({ body }, response) => {
    if (body['stream'] !== true) {
      const choices = [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }];
      return sendJson(response, 200, { ...head, choices });
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const one of [chunk({ content: 'hi' }, null), chunk({}, 'stop')]) {
      response.write(`data: ${JSON.stringify(one)}\n\n`);
    }
    response.end('data: [DONE]\n\n');
  });
  const { upstreams, models } = vendorConfig(upstream.url);
  rig = await textRig({
    timeouts: { keep_alive_ms: 400 },
    upstreams,
    models: [
      ...models.map((model) => Object.assign(model, { strict: model.id === 'by-chat' })),
      { id: 'lenient', routes: [{ upstream: 'chat-completions', model: 'theirs' }] },
    ],
  });
});
afterEach(async () => {
  await rig.close();
  await upstream.close();
});

const messages = [{ role: 'user', content: 'hi' }];
const BODIES: readonly [path: string, body: object][] = [
  ['/v1/messages', { model: 'by-chat', max_tokens: 9, messages }],
  ['/v1/responses', { model: 'by-chat', input: 'hi', store: false }],
  ['/v1beta/models/by-chat:streamGenerateContent?alt=sse', { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] }],
  ['/v1beta/models/by-chat:streamGenerateContent', { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] }],
];

/** Posts with Node's client, which reads trailers. */
async function postFor(path: string, body: object, onHead?: () => void): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const headers = {
    authorization: `Bearer ${KEYS.alice}`,
    'content-type': 'application/json',
    'messages-version': '2023-06-01',
  };
  const call = httpRequest(rig.origin + path, { method: 'POST', headers }, (response) => {
    onHead?.();
    response.resume().once('end', () => resolve(response));
  });
  call.once('error', reject).end(JSON.stringify(body));
  return promise;
}

describe('a field of the response that the client’s protocol cannot express', () => {
  it('is named in the header of a buffered response, even in strict mode', async () => {
    for (const [path, body] of BODIES.slice(0, 2)) {
      const response = await rig.post(path, body);
      expect(response.status).toBe(200);
      expect(response.headers.get('x-sluice-dropped')).toBe('response.moderation');
    }
  });

  it.each(BODIES)('is named in a trailer of the stream of %s', async (path, body) => {
    const response = await postFor(path, path.includes('models/') ? body : { ...body, stream: true });
    expect(response.statusCode).toBe(200);
    expect(response.headers).toMatchObject({ trailer: 'x-sluice-dropped' });
    expect(response.headers['x-sluice-dropped']).toBeUndefined();
    expect(response.trailers['x-sluice-dropped']).toBe('response.moderation');
  });

  it('follows the losses of the request in the trailer if a keep-alive sent the headers', async () => {
    const respond = upstream.script;
    // The upstream responds after the client has received the headers.
    const begun = Promise.withResolvers<void>();
    upstream.script = (request, response) => void begun.promise.then(() => respond(request, response));
    const sent = { model: 'lenient', max_tokens: 9, messages, top_k: 5, stream: true };
    const response = await postFor('/v1/messages', sent, () => begun.resolve());
    expect(response.headers).toMatchObject({ trailer: 'x-sluice-dropped' });
    expect(response.headers['x-sluice-upstream']).toBeUndefined();
    expect(response.trailers['x-sluice-dropped']).toBe('top_k, response.moderation');
  });

  it('is relayed to a client of the same protocol, without a trailer', async () => {
    const response = await postFor('/v1/chat/completions', { model: 'by-chat', messages, stream: true });
    expect(response.headers.trailer).toBeUndefined();
    expect(response.trailers).toEqual({});
  });

  it('is not named for a client of HTTP/1.0, which has no trailers', async () => {
    const { port, hostname } = new URL(rig.origin);
    const body = JSON.stringify({ model: 'by-chat', max_tokens: 9, messages, stream: true });
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    let text = '';
    const socket = connect(Number(port), hostname, () => {
      const lines = [
        'POST /v1/messages HTTP/1.0',
        `host: ${hostname}`,
        `authorization: Bearer ${KEYS.alice}`,
        'content-type: application/json',
        'messages-version: 2023-06-01',
        `content-length: ${Buffer.byteLength(body)}`,
      ];
      socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`);
    });
    socket.on('data', (data: Buffer) => (text += data.toString()));
    socket.once('error', reject).once('close', () => resolve(text));
    const response = await promise;
    expect(response).toContain('message_stop');
    expect(response).not.toContain('x-sluice-dropped');
  });
});

import { describe, expect, it } from 'vitest';
import { mediaContext } from '../../test/media-context.ts';
import { type LocalServer, readBody, sendJson, startServer } from '../../test/local-server.ts';
import { startSocketServer } from '../../test/socket-server.ts';
import { textOf } from '../../test/text-rig.ts';
import { authorizedContext } from './authorized-context.ts';
import { bearerAuthorizer } from './bearer-authorizer.ts';
import { createCredentialCache } from './credential-cache.ts';

const { signal } = new AbortController();
const TIMES = { firstMs: 5_000, idleMs: 5_000, signal };

/** A vendor that accepts only one token, and an account whose identity returns the listed tokens in order. */
async function rig(tokens: string[], accepted = 'two') {
  const bodies: string[] = [];
  const server = await startServer(async (request, response) => {
    bodies.push((await readBody(request)).toString());
    const isAccepted = request.headers.authorization === `Bearer ${accepted}`;
    sendJson(response, isAccepted ? 200 : 401, { ok: isAccepted });
  });
  const { context, loads } = identityAt(server.origin, tokens);
  return { server, context, loads, bodies, sent: () => sentTokens(server) };
}

function identityAt(origin: string, tokens: string[]) {
  const loads: string[] = [];
  const cache = createCredentialCache<string>({
    load: () => {
      const value = tokens[loads.length];
      if (value === undefined) return Promise.reject(new Error('no token'));
      loads.push(value);
      return Promise.resolve({ value, expiresAt: Date.now() + 3_600_000 });
    },
    onFailure: () => undefined,
    now: Date.now,
  });
  return { loads, context: authorizedContext(mediaContext([origin]), origin, bearerAuthorizer(cache)) };
}

function sentTokens({ requests }: LocalServer) {
  return requests.map(({ headers }) => headers.authorization);
}

describe('a text call', () => {
  const open = { method: 'POST' as const, path: '/v1/chat', headers: ['content-type', 'application/json'] };

  it('has the token, and is repeated once with another one after 401', async () => {
    await using server = (await rig(['one', 'two'])).server;
    const { context, loads } = identityAt(server.origin, ['one', 'two']);
    let reports = 0;
    const body = [Buffer.from('{"a":'), Buffer.from('1}')];
    const headers = [...open.headers, 'content-length', '7'];
    const call = { ...open, ...TIMES, headers, origin: server.origin, body, onBodySent: () => (reports += 1) };
    const response = await context.openUpstream(call);
    expect([response.status, await textOf(response)]).toEqual([200, '{"ok":true}']);
    expect([sentTokens(server), loads, reports]).toEqual([['Bearer one', 'Bearer two'], ['one', 'two'], 1]);
    await context.openUpstream(call);
    expect([sentTokens(server).length, loads.length, reports, context.secrets?.()]).toEqual([3, 2, 2, ['two']]);
  });

  it('returns 401 if the second token is rejected as well, without a third', async () => {
    const { server, context, loads } = await rig(['one', 'other', 'third']);
    const call = { ...open, ...TIMES, origin: server.origin, body: '{}' };
    for (let calls = 0; calls < 3; calls += 1) expect((await context.openUpstream(call)).status).toBe(401);
    expect([server.requests.length, loads]).toEqual([4, ['one', 'other']]);
    await server[Symbol.asyncDispose]();
  });

  it('is not repeated if its body is a stream, but the next call has another token', async () => {
    const { server, context, sent } = await rig(['one', 'two']);
    const call = () => ({ ...open, ...TIMES, origin: server.origin, body: streamOf('{}') });
    expect((await context.openUpstream(call())).status).toBe(401);
    expect((await context.openUpstream(call())).status).toBe(200);
    expect(sent()).toEqual(['Bearer one', 'Bearer two']);
    await server[Symbol.asyncDispose]();
  });

  it('fails without a token, before it is sent', async () => {
    const { server, context } = await rig([]);
    const call = context.openUpstream({ ...open, ...TIMES, origin: server.origin, body: '{}' });
    await expect(call).rejects.toMatchObject({ name: 'UpstreamError', failure: 'credential', sent: 'no' });
    expect(server.requests).toEqual([]);
    await server[Symbol.asyncDispose]();
  });

  it('can be aborted while it waits for a token', async () => {
    const never = createCredentialCache<string>({
      load: () => new Promise(() => undefined),
      onFailure: () => undefined,
      now: Date.now,
    });
    const context = authorizedContext(mediaContext([]), 'http://127.0.0.1:1', bearerAuthorizer(never));
    const controller = new AbortController();
    const call = { ...open, ...TIMES, origin: 'http://127.0.0.1:1', body: '{}', signal: controller.signal };
    const opened = context.openUpstream(call);
    controller.abort();
    await expect(opened).rejects.toMatchObject({ failure: 'aborted', sent: 'no' });
  });
});

async function* streamOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

it('authorizes calls with JSON and forms, and repeats all but streams', async () => {
  const { server, context, sent, bodies } = await rig(['one', 'two']);
  const call = { method: 'POST', url: `${server.origin}/v1/videos?x=1`, timeoutMs: 5_000, signal } as const;
  const response = await context.fetchUpstream({ ...call, body: { kind: 'json', value: { a: 1 } } });
  expect([response.status, sent(), bodies]).toEqual([200, ['Bearer one', 'Bearer two'], ['{"a":1}', '{"a":1}']]);
  expect(server.requests[1]?.headers['content-type']).toBe('application/json');
  const form = { kind: 'stream', contentType: 'text/plain', source: streamOf('abc') } as const;
  expect((await context.fetchUpstream({ ...call, body: form })).status).toBe(200);
  expect([server.requests[2]?.url, bodies[2]]).toEqual(['/v1/videos?x=1', 'abc']);
  await server[Symbol.asyncDispose]();
});

it('authorizes downloads that need the credential, and no other', async () => {
  const { server, context, sent } = await rig(['one', 'two']);
  const url = `${server.origin}/v1/videos/1/content`;
  const signed = await context.download(url, { credentials: {}, signal });
  expect([signed.status, sent()]).toEqual([200, ['Bearer one', 'Bearer two']]);
  signed.body.destroy();
  const plain = await context.download(url, { signal });
  plain.body.destroy();
  const foreign = await context.download(url, { credentials: {}, credentialsOrigin: 'https://other.example', signal });
  foreign.body.destroy();
  expect(sent().slice(2)).toEqual([undefined, undefined]);
  await server[Symbol.asyncDispose]();
});

it('sends the token to no other origin', async () => {
  const { server, context } = await rig(['one']);
  await using other = await startServer((_request, response) => sendJson(response, 200, {}));
  await context.openUpstream({ method: 'GET', origin: other.origin, path: '/', headers: [], ...TIMES });
  await context.fetchUpstream({ method: 'GET', url: other.origin, timeoutMs: 5_000, signal });
  expect(sentTokens(other)).toEqual([undefined, undefined]);
  await server[Symbol.asyncDispose]();
});

describe('a realtime session', () => {
  const call = { headers: {}, handshakeMs: 5_000, frameBytes: 1_000, signal };

  it('opens with the token', async () => {
    await using server = await startSocketServer({});
    const { context } = identityAt(server.origin, ['one']);
    const opened = await context.openSocket({ ...call, url: `${server.origin.replace('http', 'ws')}/v1/realtime` });
    expect(['socket' in opened, server.handshakes[0]?.headers.authorization]).toEqual([true, 'Bearer one']);
  });

  it('is opened again once after 401', async () => {
    await using server = await startSocketServer({ refuse: (_request, response) => sendJson(response, 401, {}) });
    const { context } = identityAt(server.origin, ['one', 'two', 'three']);
    const opened = await context.openSocket({ ...call, url: `${server.origin.replace('http', 'ws')}/v1/realtime` });
    expect('response' in opened && opened.response.status).toBe(401);
    expect(server.handshakes.map(({ headers }) => headers.authorization)).toEqual(['Bearer one', 'Bearer two']);
  });
});

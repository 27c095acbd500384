import { GatewayError } from '@sluice/canonical';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { WebSocket } from 'ws';
import { KEYS } from '../../test/api-rig.ts';
import { rawHttp } from '../../test/raw-http.ts';
import { type RealtimeRig, realtimeRig, VENDOR_KEY } from '../../test/realtime-rig.ts';

let rig: RealtimeRig;
beforeAll(async () => {
  rig = await realtimeRig({ config: { defaults: { realtime_model: 'voice' } } });
});
afterAll(() => rig.close());
beforeEach(() => {
  Object.assign(rig.vendor, { onOpen: () => undefined, refuse: undefined, hold: undefined });
  rig.vendor.handshakes.length = 0;
  rig.vendor.sockets.length = 0;
});

/** Opens a session and returns its client and vendor connections. */
async function session(query?: string, options?: Parameters<RealtimeRig['connect']>[1]) {
  const client = await rig.connect(query, options);
  const vendor = rig.vendor.sockets.at(-1);
  if (!vendor) throw new GatewayError('internal_error', 'no session');
  const recorded: string[] = [];
  // The cast is safe because `ws` delivers messages as buffers.
  vendor.on('message', (data) => recorded.push((data as Buffer).toString()));
  return { client, vendor, recorded };
}

/** Returns the parsed log lines of sessions. */
function sessionLines(of: RealtimeRig = rig): Record<string, unknown>[] {
  return (
    of
      .logs()
      .split('\n')
      .filter((line) => line.includes('"closed_by"'))
      // The cast is safe because each log line is a JSON object.
      .map((line) => JSON.parse(line) as Record<string, unknown>)
  );
}

const end = (socket: WebSocket) => new Promise((resolve) => socket.once('close', resolve).close());

describe('GET /v1/realtime', () => {
  it.each([
    ['a Bearer token', '', { headers: { authorization: `Bearer ${KEYS.alice}` } }],
    ['x-api-key', '', { headers: { 'x-api-key': KEYS.alice } }],
    ['x-goog-api-key', '', { headers: { 'x-goog-api-key': KEYS.alice } }],
    ['the query', `&key=${KEYS.alice}`, { headers: {} }],
    ['a sub-protocol', '', { headers: {}, protocols: ['realtime', `openai-insecure-api-key.${KEYS.alice}`] }],
    ['a sub-protocol first', '', { headers: {}, protocols: [`openai-insecure-api-key.${KEYS.alice}`, 'realtime'] }],
  ])('identifies a client by %s, and hides it from the upstream and the log', async (_, query, options) => {
    const { client } = await session(`model=voice${query}`, options);
    expect(client.socket.protocol).toBe('protocols' in options ? 'realtime' : '');
    const [{ url, headers } = {}] = rig.vendor.handshakes;
    expect(url).toBe('/v1/realtime?model=theirs');
    expect(headers).toMatchObject({ authorization: `Bearer ${VENDOR_KEY}` });
    expect(JSON.stringify(headers)).not.toContain(KEYS.alice);
    const before = sessionLines().length;
    await end(client.socket);
    await expect.poll(() => sessionLines().length).toBe(before + 1);
    expect(rig.logs()).not.toContain(KEYS.alice);
    expect(rig.logs()).not.toContain(VENDOR_KEY);
  });

  it('relays early upstream messages, text, and bytes in order, both ways', async () => {
    rig.vendor.onOpen = (socket) => {
      socket.send('{"type":"session.created","session":{"model":"theirs"}}');
      socket.on('message', (data, isBinary) => socket.send(data as Buffer, { binary: isBinary }));
    };
    const client = await rig.connect();
    const kinds: boolean[] = [];
    client.socket.on('message', (_data, isBinary) => kinds.push(isBinary));
    await expect.poll(() => client.texts).toEqual(['{"type":"session.created","session":{"model":"voice"}}']);
    client.socket.send('grüß dich');
    client.socket.send(Buffer.from('bytes'));
    client.socket.send('{"type": "response.create" }');
    await expect.poll(() => client.texts.slice(1)).toEqual(['grüß dich', 'bytes', '{"type": "response.create" }']);
    expect(kinds.slice(-3)).toEqual([false, true, false]);
    await end(client.socket);
  });

  it('forwards the beta header and known parameters, and sends no model for a transcription', async () => {
    const headers = { authorization: `Bearer ${KEYS.alice}`, 'openai-beta': 'realtime=v1' };
    const one = await session('model=voice&Model=dear&deployment=dear&intent=x', { headers });
    const protocols = ['realtime', `openai-insecure-api-key.${KEYS.alice}`, 'openai-beta.realtime-v1'];
    const two = await session('intent=transcription', { headers: {}, protocols });
    two.client.socket.send('{"type":"session.update","session":{"type":"transcription","model":"voice"}}');
    await expect.poll(() => two.recorded).toEqual(['{"type":"session.update","session":{"type":"transcription"}}']);
    expect(rig.vendor.handshakes.map(({ url }) => url)).toEqual([
      '/v1/realtime?intent=x&model=theirs',
      '/v1/realtime?intent=transcription',
    ]);
    expect(rig.vendor.handshakes.map(({ headers: sent }) => sent['openai-beta'])).toEqual([
      'realtime=v1',
      'realtime=v1',
    ]);
    await Promise.all([end(one.client.socket), end(two.client.socket)]);
  });

  it('opens a session at the next route when the first cannot', async () => {
    const { client, recorded } = await session('model=voice-2');
    expect(rig.vendor.handshakes[0]?.url).toBe('/v1/realtime?model=second');
    client.socket.send('{"type":"session.update","session":{"model":"voice-2"}}');
    await expect.poll(() => recorded).toEqual(['{"type":"session.update","session":{"model":"second"}}']);
    await end(client.socket);
  });

  it('counts tokens and logs the session in one line when it ends', async () => {
    const { client, vendor } = await session();
    const usage = { total_tokens: 30, input_tokens: 20, output_tokens: 10 };
    vendor.send(JSON.stringify({ type: 'response.done', response: { status: 'completed', usage } }));
    vendor.send(JSON.stringify({ type: 'response.done', response: { status: 'completed', usage } }));
    client.socket.send('{"type":"secret words"}');
    await expect.poll(() => client.texts).toHaveLength(2);
    const before = sessionLines().length;
    client.socket.close(4001, 'enough');
    await expect.poll(() => sessionLines().length).toBe(before + 1);
    expect(sessionLines().at(-1)).toMatchObject({
      status: 101,
      upstream: 'speaker',
      upstream_model: 'theirs',
      client: 'alice',
      usage: { inputTokens: 40, outputTokens: 20 },
      closed_by: 'client',
      close_code: 4001,
      client_frames: 1,
      upstream_frames: 2,
    });
    expect(rig.logs()).not.toContain('secret words');
    const metrics = await rig.metrics.render();
    expect(metrics).toMatch(/sluice_text_tokens_total\{upstream="speaker",direction="input"\} 40/);
    expect(metrics).toContain('sluice_http_requests_in_flight 0');
  });

  it.each([
    ['refuses', 401, 502, 'provider_auth'],
    ['is busy', 429, 429, 'rate_limited'],
    ['is down', 503, 503, 'provider_overloaded'],
  ])('responds over HTTP, without a socket, when the upstream %s', async (_, upstreamStatus, status, code) => {
    rig.vendor.refuse = (_request, response) => {
      response.writeHead(upstreamStatus, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message: `no ${VENDOR_KEY}` } }));
    };
    const refused = rig.connect();
    await expect(refused).rejects.toMatchObject({ status: status });
    // The cast is safe because a handshake error has these fields.
    const { body, headers } = (await refused.catch((error: unknown) => error)) as { body: string; headers: object };
    expect(JSON.parse(body)).toMatchObject({ error: { code } });
    expect(headers).toMatchObject({ connection: 'close', 'x-request-id': expect.stringMatching(/^req_/) as string });
    expect(body).not.toContain(VENDOR_KEY);
  });

  it('returns 502 when no upstream can be reached', async () => {
    await expect(rig.connect('model=unreachable')).rejects.toMatchObject({ status: 502 });
  });

  it('aborts the upstream call when the client disconnects', async () => {
    rig.vendor.hold = new Promise(() => undefined);
    const connecting = rig.connect('model=voice', { handshakeTimeout: 200 });
    const refused = expect(connecting).rejects.toThrow('timed out');
    await expect.poll(() => rig.vendor.handshakes).toHaveLength(1);
    const socket = rig.vendor.handshakes[0]?.socket;
    await refused;
    await expect.poll(() => socket?.destroyed).toBe(true);
    await expect.poll(() => rig.logs().includes('"aborted":true')).toBe(true);
  });

  it.each([
    ['the client', 4001, 'enough'],
    ['the upstream', 4002, 'no more'],
  ])('forwards code and reason when %s closes', async (side, code, reason) => {
    const { client, vendor } = await session();
    const closed = new Promise((resolve) => {
      vendor.once('close', (closeCode, closeReason) => resolve([closeCode, closeReason.toString()]));
    });
    if (side === 'the client') client.socket.close(code, reason);
    else vendor.close(code, reason);
    if (side === 'the client') expect(await closed).toEqual([code, reason]);
    await expect.poll(() => client.closed).toEqual({ code, reason });
  });

  it('reports a broken upstream as an error event and 1011', async () => {
    const { client, vendor } = await session();
    vendor.terminate();
    await expect.poll(() => client.closed).toEqual({ code: 1011, reason: '' });
    expect(JSON.parse(client.texts[0] ?? '')).toMatchObject({
      type: 'error',
      error: { type: 'server_error', code: 'provider_error' },
    });
  });

  it('reports a broken client to the upstream as 1011 at once', async () => {
    const { client, vendor } = await session();
    const closed = new Promise((resolve) => void vendor.once('close', resolve));
    client.socket.terminate();
    expect(await closed).toBe(1011);
  });

  it("hides key and host in the upstream's errors and reasons", async () => {
    const { client, vendor } = await session();
    const { host } = new URL(rig.vendor.url);
    vendor.send(JSON.stringify({ type: 'error', error: { message: `${VENDOR_KEY} at ${host}` } }));
    vendor.send(JSON.stringify({ type: 'response.output_text.delta', delta: VENDOR_KEY }));
    vendor.send(Buffer.from(JSON.stringify({ type: 'error', error: { message: `no theirs at ${host}` } })));
    vendor.close(4000, `${VENDOR_KEY} ${host} has no theirs`);
    await expect.poll(() => client.closed).toEqual({ code: 4000, reason: '[hidden] [hidden] has no voice' });
    const texts = client.texts.join('');
    expect(texts).toContain('[hidden] at [hidden]');
    expect(texts).toContain('no voice at [hidden]');
    expect(texts).not.toContain(VENDOR_KEY);
  });

  it('names the upstream and the request id in the response headers', async () => {
    const { client } = await session('model=voice-2');
    expect(client.headers).toMatchObject({
      'x-request-id': expect.stringMatching(/^req_/) as string,
      'x-sluice-upstream': 'speaker',
      'x-sluice-model': 'second',
    });
    await end(client.socket);
  });

  it('counts as a request until it is open, and as a session afterward', async () => {
    const own = await realtimeRig();
    const client = await own.connect();
    const open = await own.metrics.render();
    expect(open).toMatch(/^sluice_http_requests_in_flight 0$/m);
    expect(open).toContain('sluice_http_requests_total{method="GET",route="/v1/realtime",status="101"} 1');
    expect(open).toMatch(/^sluice_realtime_sessions 1$/m);
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    await end(client.socket);
    await expect.poll(() => own.metrics.render()).toMatch(/^sluice_realtime_sessions 0$/m);
    const over = await own.metrics.render();
    const timed = 'sluice_http_request_duration_seconds_sum{method="GET",route="/v1/realtime",status="101"}';
    const sum = (text: string) => text.split('\n').find((line) => line.startsWith(timed));
    expect(sum(over)).toBe(sum(open));
    expect(over).toMatch(/^sluice_realtime_session_seconds_bucket\{le="1"\} 0$/m);
    expect(over).toMatch(/^sluice_realtime_session_seconds_count 1$/m);
    await own.close();
  });

  it('rejects a web page that the configuration does not list', async () => {
    const own = await realtimeRig({ config: { server: { origins: ['https://app.example'] } } });
    await expect(own.connect('model=voice', { origin: 'https://evil.test' })).rejects.toMatchObject({ status: 400 });
    expect(own.vendor.handshakes).toHaveLength(0);
    const { socket } = await own.connect('model=voice', { origin: 'https://app.example' });
    await end(socket);
    await own.close();
  });

  it('logs a session with its cost before the API is closed', async () => {
    const own = await realtimeRig({ config: { timeouts: { shutdown_ms: 500 } } });
    const client = await own.connect();
    const usage = { total_tokens: 30, input_tokens: 20, output_tokens: 10 };
    own.vendor.sockets[0]?.send(JSON.stringify({ type: 'response.done', response: { status: 'completed', usage } }));
    await expect.poll(() => client.texts).toHaveLength(1);
    // The vendor does not confirm the close, so its connection stays open longer than the client's.
    own.vendor.sockets[0]?.pause();
    await own.app.close();
    expect(sessionLines(own)).toMatchObject([
      { closed_by: 'gateway', close_code: 1001, usage: { inputTokens: 20, outputTokens: 10 } },
    ]);
    await own.close();
  });

  it('returns 426 for a request without an upgrade', async () => {
    for (const method of ['GET', 'HEAD']) {
      const reply = await rig.call('/v1/realtime?model=voice', { method });
      expect([reply.status, reply.headers.get('upgrade')]).toEqual([426, 'websocket']);
    }
  });

  it.each([
    ['POST /v1/moderations', 'h2c', 401],
    ['POST /v1/moderations', 'websocket', 401],
    ['GET /v1/responses', 'websocket', 401],
  ])('responds to %s with Upgrade: %s over plain HTTP', async (line, protocol, status) => {
    const body = '{"input":"x"}';
    const head = [`${line} HTTP/1.1`, 'host: x', `upgrade: ${protocol}`, 'connection: upgrade, close'];
    const type = ['content-type: application/json', `content-length: ${body.length}`];
    const reply = await rawHttp(rig.port, [
      [...head, ...(line.startsWith('POST') ? type : []), '', ''].join('\r\n'),
      body,
    ]);
    expect(reply.status).toBe(status);
  });
});

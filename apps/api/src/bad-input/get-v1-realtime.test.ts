import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KEYS } from '../../test/api-rig.ts';
import { type RawResponse, rawHttp } from '../../test/raw-http.ts';
import { type ClientSession, type RealtimeRig, realtimeRig } from '../../test/realtime-rig.ts';

let rig: RealtimeRig;
beforeAll(async () => {
  rig = await realtimeRig({ limits: { realtime_frame_bytes: 100_000, header_bytes: 8_192 } });
  rig.vendor.onOpen = (socket) =>
    socket.on('message', (data, isBinary) => socket.send(data as Buffer, { binary: isBinary })); // `ws` gives a buffer
});
afterAll(() => rig.close());

const GOOD: Readonly<Record<string, string>> = {
  host: 'x',
  upgrade: 'websocket',
  connection: 'Upgrade',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  'sec-websocket-version': '13',
  authorization: `Bearer ${KEYS.alice}`,
};

/** A handwritten handshake; empty headers are omitted. */
function handshake(query: string, headers: Record<string, string> = {}, method = 'GET'): Promise<RawResponse> {
  const lines = Object.entries({ ...GOOD, ...headers })
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}: ${value}`);
  const head = [`${method} /v1/realtime${query} HTTP/1.1`, ...lines, '', ''].join('\r\n');
  return rawHttp(rig.port, [Buffer.from(head, 'latin1')]);
}

describe('a bad handshake', () => {
  it.each([
    ['without a key', '?model=voice', { authorization: '' }, 401, 'invalid_api_key', null],
    ['with a wrong key', '?model=voice', { authorization: 'Bearer sk-wrong-key' }, 401, 'invalid_api_key', null],
    [
      'with a wrong key as a sub-protocol',
      '?model=voice',
      { authorization: '', 'sec-websocket-protocol': 'realtime, openai-insecure-api-key.sk-wrong' },
      401,
      'invalid_api_key',
      null,
    ],
    [
      'with an empty key as a sub-protocol',
      '?model=voice',
      { authorization: '', 'sec-websocket-protocol': 'openai-insecure-api-key.' },
      401,
      'invalid_api_key',
      null,
    ],
    ['without a model', '', {}, 400, 'invalid_request', 'model'],
    ['with an empty model', '?model=', {}, 400, 'invalid_request', 'model'],
    ['with two models', '?model=voice&model=film', {}, 400, 'invalid_request', 'model'],
    ['for a transcription without a model', '?intent=transcription', {}, 400, 'invalid_request', 'model'],
    ['for a model that is not there', '?model=voic', {}, 404, 'model_not_found', 'model'],
    ['for a model with a name of control characters', '?model=%00%0d%0a', {}, 404, 'model_not_found', 'model'],
    [
      'for a model that the key may not use',
      '?model=voice',
      { authorization: `Bearer ${KEYS.carol}` },
      403,
      'model_not_allowed',
      'model',
    ],
    ['for a model that makes films', '?model=film', {}, 400, 'invalid_request', 'model'],
    ['for a model that is said to do something else', '?model=mute', {}, 400, 'invalid_request', 'model'],
    [
      'that attaches to a call at the vendor',
      '?model=voice&call_id=rtc_1',
      {},
      400,
      'unsupported_parameter',
      'call_id',
    ],
    [
      'that attaches to a call at the vendor, in capitals',
      '?model=voice&CALL_ID=rtc_1',
      {},
      400,
      'unsupported_parameter',
      'call_id',
    ],
    ['without Sec-WebSocket-Key', '?model=voice', { 'sec-websocket-key': '' }, 400, 'invalid_request', null],
    [
      'with a short Sec-WebSocket-Key',
      '?model=voice',
      { 'sec-websocket-key': 'c2hvcnQ=' },
      400,
      'invalid_request',
      null,
    ],
    ['of another version', '?model=voice', { 'sec-websocket-version': '12' }, 426, 'upgrade_required', null],
    ['without a version', '?model=voice', { 'sec-websocket-version': '' }, 426, 'upgrade_required', null],
    [
      'with a sub-protocol that is none',
      '?model=voice',
      { 'sec-websocket-protocol': 'real time' },
      400,
      'invalid_request',
      null,
    ],
    [
      'with a sub-protocol that ends in a blank which is none',
      '?model=voice',
      { 'sec-websocket-protocol': 'realtime\u00a0' },
      400,
      'invalid_request',
      null,
    ],
    [
      'with a sub-protocol told twice',
      '?model=voice',
      { 'sec-websocket-protocol': 'realtime, realtime' },
      400,
      'invalid_request',
      null,
    ],
    ['without an upgrade', '?model=voice', { upgrade: '', connection: 'close' }, 426, 'upgrade_required', null],
    [
      'for another protocol',
      '?model=voice',
      { upgrade: 'h2c', connection: 'upgrade, close' },
      426,
      'upgrade_required',
      null,
    ],
    [
      'for HTTP/2 as well',
      '?model=voice',
      { upgrade: 'websocket, h2c', connection: 'upgrade, close' },
      426,
      'upgrade_required',
      null,
    ],
    ['without a Host', '?model=voice', { host: '' }, 400, 'invalid_request', null],
    ['with too large headers', '?model=voice', { 'x-big': 'x'.repeat(9_000) }, 431, 'headers_too_large', null],
  ] as const)('%s is answered over HTTP, in OpenAI’s shape', async (_, query, headers, status, code, param) => {
    const asked = rig.vendor.handshakes.length;
    const response = await handshake(query, headers);
    expect(response.status).toBe(status);
    expect(JSON.parse(response.body)).toEqual({
      error: { message: expect.any(String) as string, type: expect.any(String) as string, param, code },
    });
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(response.headers.get('x-request-id')).toMatch(/^req_/);
    expect(response.text).not.toContain('sk-wrong');
    if (status === 426) expect(response.headers.get('sec-websocket-version')).toBe('13');
    expect(rig.vendor.handshakes).toHaveLength(asked);
    expect(rig.logs()).not.toContain('sk-wrong');
  });

  it.each(['POST', 'PUT', 'DELETE'])('by %s is answered 405', async (method) => {
    const response = await handshake('?model=voice', { connection: 'upgrade, close' }, method);
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it.each(['/v1/realtime/client_secrets', '/v1/realtime/calls', '/v1/realtime/sessions'])(
    'has nothing to do with POST %s, which is not there',
    async (at) => {
      const response = await rig.call(at, { method: 'POST' });
      expect(response.status).toBe(404);
    },
  );

  it('that is followed by rubbish at once leaves the process as it was', async () => {
    const lines = Object.entries(GOOD).map(([name, value]) => `${name}: ${value}`);
    const head = ['GET /v1/realtime?model=voice HTTP/1.1', ...lines, '', ''].join('\r\n');
    const response = await rawHttp(rig.port, [head, Buffer.alloc(50_000, 0xff)]);
    expect(response.status).toBe(101);
    await works();
  });

  it('survives a client that disconnects before the response', async () => {
    for (let times = 0; times < 20; times++) {
      const lines = Object.entries(GOOD).map(([name, value]) => `${name}: ${value}`);
      await rawHttp(rig.port, [['GET /v1/realtime?model=voice HTTP/1.1', ...lines, '', ''].join('\r\n')], true);
    }
    await works();
    await expect.poll(async () => rig.metrics.render()).toContain('sluice_http_requests_in_flight 0');
  });
});

/** A client's masked frames, encoded by hand. */
function frame(first: number, payload: Buffer, isMasked = true): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(payload.length);
  const head = Buffer.concat([Buffer.from([first, (isMasked ? 0x80 : 0) | 126]), length]);
  // A mask of zeros leaves the bytes as they are.
  return Buffer.concat([head, Buffer.alloc(isMasked ? 4 : 0), payload]);
}

describe('a bad frame', () => {
  it.each([
    ['that is not masked', frame(0x81, Buffer.from('x'), false), 1002],
    ['with a reserved bit', frame(0xc1, Buffer.from('x')), 1002],
    ['with an unknown opcode', frame(0x83, Buffer.from('x')), 1002],
    ['that goes on with nothing', frame(0x80, Buffer.from('x')), 1002],
    ['of text that is no UTF-8', frame(0x81, Buffer.from([0xc3, 0x28])), 1007],
    ['with a control frame that is too long', frame(0x89, Buffer.alloc(126)), 1002],
    ['with a close code that may not be sent', frame(0x88, Buffer.from([0x03, 0xed])), 1002],
  ])('%s ends the session with the code of RFC 6455, and only that one', async (_, bytes, code) => {
    const client = await rig.connect();
    const vendor = rig.vendor.sockets.at(-1);
    const told = new Promise((resolve) => void vendor?.once('close', resolve));
    // The socket under `ws`, which makes no such frames itself.
    const { _socket: line } = client.socket as unknown as { _socket: { write(bytes: Buffer): void } };
    line.write(bytes);
    await expect.poll(() => client.closed?.code).toBe(code);
    expect(await told).toBe(1000);
    await works();
  });

  it('that is too large ends the session with 1009', async () => {
    const client = await rig.connect();
    client.socket.send('x'.repeat(100_000));
    await expect.poll(() => client.texts.length).toBe(1);
    client.socket.send('x'.repeat(100_001));
    await expect.poll(() => client.closed?.code).toBe(1009);
  });

  it('of a session.update that is nested too deeply to be edited ends the session alone', async () => {
    const client = await rig.connect();
    const deep = `${'['.repeat(49_000)}${']'.repeat(49_000)}`;
    client.socket.send(`{"type":"session.update","session":{"model":"voice","tools":${deep}}}`);
    await expect.poll(() => client.closed).toEqual({ code: 1008, reason: 'invalid_event' });
    expect(JSON.parse(client.texts[0] ?? '')).toMatchObject({ type: 'error', error: { code: 'invalid_event' } });
    await works();
  });

  it('in many pieces that are too large together ends it as well', async () => {
    const client = await rig.connect();
    for (let times = 0; times < 11; times++) client.socket.send('x'.repeat(10_000), { fin: false });
    await expect.poll(() => client.closed?.code).toBe(1009);
  });

  it.each([
    ['no JSON that may name a model', 'not json { "model"'],
    ['JSON that is very deep', `${'[{"model":'.repeat(9_000)}"session.update"`],
  ])('of %s ends the session alone', async (_, text) => {
    const client = await rig.connect();
    client.socket.send(text);
    await expect.poll(() => client.closed).toEqual({ code: 1008, reason: 'invalid_event' });
    await works();
  });

  it.each([
    ['no JSON', 'not json {'],
    ['JSON that is no object', '[1,2]'],
    ['a null', 'null'],
    ['an event without a type', '{"session":{"voice":"x"}}'],
    ['a session.update whose session is none', String.raw`{"type":"session.update","session":"a","x":"model"}`],
    ['a lone surrogate in an escape', String.raw`{"type":"session.update","voice":"\ud800"}`],
    ['nothing', ''],
  ])('of %s is the upstream’s to judge, and goes there as it is', async (_, text) => {
    const client = await rig.connect();
    client.socket.send(text);
    await expect.poll(() => client.texts).toEqual([text]);
    client.socket.close();
  });

  it('of bytes that would name another model names the session’s own', async () => {
    const client = await rig.connect();
    client.socket.send(Buffer.from('{"type":"session.update","session":{"model":"dear"}}'));
    await expect.poll(() => client.texts).toEqual(['{"type":"session.update","session":{"model":"theirs"}}']);
    client.socket.close();
  });
});

/** A session can be opened and used. */
async function works(): Promise<void> {
  const client: ClientSession = await rig.connect();
  client.socket.send('still here');
  await expect.poll(() => client.texts).toEqual(['still here']);
  client.socket.close();
  await expect.poll(() => client.closed).toBeDefined();
}

import { describe, expect, it } from 'vitest';
import { KEYS } from '../../../test/api-rig.ts';
import { expectOpenSessions, handshakeHead, useEchoRig } from '../../../test/bad-input/realtime-requests.ts';
import { type RawResponse, rawHttp } from '../../../test/raw-http.ts';

/**
 * The test title, the query, the headers that differ from a valid handshake, the error code, and the field that the
 * error names.
 */
type BadHandshake = [title: string, query: string, headers: Record<string, string>, code: string, param: string | null];

const BAD_HANDSHAKES: Readonly<Record<number, readonly BadHandshake[]>> = {
  400: [
    ['model is missing', '', {}, 'invalid_request', 'model'],
    ['model is empty', '?model=', {}, 'invalid_request', 'model'],
    ['model is repeated', '?model=voice&model=video', {}, 'invalid_request', 'model'],
    ['model is missing for a transcription', '?intent=transcription', {}, 'invalid_request', 'model'],
    ['the model generates videos', '?model=video', {}, 'invalid_request', 'model'],
    ['the configured capabilities of the model exclude sessions', '?model=mute', {}, 'invalid_request', 'model'],
    ['call_id attaches to a call at the vendor', '?model=voice&call_id=rtc_1', {}, 'unsupported_parameter', 'call_id'],
    ['CALL_ID attaches to a call at the vendor', '?model=voice&CALL_ID=rtc_1', {}, 'unsupported_parameter', 'call_id'],
    ['Sec-WebSocket-Key is missing', '?model=voice', { 'sec-websocket-key': '' }, 'invalid_request', null],
    ['Sec-WebSocket-Key is too short', '?model=voice', { 'sec-websocket-key': 'c2hvcnQ=' }, 'invalid_request', null],
    [
      'the sub-protocol contains a space',
      '?model=voice',
      { 'sec-websocket-protocol': 'real time' },
      'invalid_request',
      null,
    ],
    [
      'the sub-protocol ends in a non-breaking space',
      '?model=voice',
      { 'sec-websocket-protocol': 'realtime\u00a0' },
      'invalid_request',
      null,
    ],
    [
      'the sub-protocol is repeated',
      '?model=voice',
      { 'sec-websocket-protocol': 'realtime, realtime' },
      'invalid_request',
      null,
    ],
    ['Host is missing', '?model=voice', { host: '' }, 'invalid_request', null],
  ],
  401: [
    ['the API key is missing', '?model=voice', { authorization: '' }, 'invalid_api_key', null],
    ['the API key is unknown', '?model=voice', { authorization: 'Bearer sk-wrong-key' }, 'invalid_api_key', null],
    [
      'the API key of the sub-protocol is unknown',
      '?model=voice',
      { authorization: '', 'sec-websocket-protocol': 'realtime, openai-insecure-api-key.sk-wrong' },
      'invalid_api_key',
      null,
    ],
    [
      'the API key of the sub-protocol is empty',
      '?model=voice',
      { authorization: '', 'sec-websocket-protocol': 'openai-insecure-api-key.' },
      'invalid_api_key',
      null,
    ],
  ],
  403: [
    [
      'the key does not allow the model',
      '?model=voice',
      { authorization: `Bearer ${KEYS.carol}` },
      'model_not_allowed',
      'model',
    ],
  ],
  404: [
    ['model is not configured', '?model=voic', {}, 'model_not_found', 'model'],
    ['model contains control characters', '?model=%00%0d%0a', {}, 'model_not_found', 'model'],
  ],
  426: [
    ['the WebSocket version is 8', '?model=voice', { 'sec-websocket-version': '8' }, 'upgrade_required', null],
    ['the WebSocket version is 12', '?model=voice', { 'sec-websocket-version': '12' }, 'upgrade_required', null],
    ['the WebSocket version is missing', '?model=voice', { 'sec-websocket-version': '' }, 'upgrade_required', null],
    ['Upgrade is missing', '?model=voice', { upgrade: '', connection: 'close' }, 'upgrade_required', null],
    [
      'Upgrade names another protocol',
      '?model=voice',
      { upgrade: 'h2c', connection: 'upgrade, close' },
      'upgrade_required',
      null,
    ],
    [
      'Upgrade also names HTTP/2',
      '?model=voice',
      { upgrade: 'websocket, h2c', connection: 'upgrade, close' },
      'upgrade_required',
      null,
    ],
  ],
  431: [['the headers are too large', '?model=voice', { 'x-big': 'x'.repeat(9_000) }, 'headers_too_large', null]],
};

describe('GET /v1/realtime', () => {
  const context = useEchoRig();
  const handshake = (query: string, headers?: Record<string, string>): Promise<RawResponse> =>
    rawHttp(context.rig.port, [handshakeHead(`GET /v1/realtime${query}`, headers)]);

  describe.each(Object.entries(BAD_HANDSHAKES))('%s', (status, rows) => {
    it.each(rows)('%s', async (_title, query, headers, code, param) => {
      const { rig } = context;
      const opened = rig.vendor.handshakes.length;
      const response = await handshake(query, headers);
      expect(response.status).toBe(Number(status));
      expect(JSON.parse(response.body)).toEqual({
        error: { message: expect.any(String), type: expect.any(String), param, code },
      });
      expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(response.headers.get('x-request-id')).toMatch(/^req_/);
      expect(response.text).not.toContain('sk-wrong');
      if (status === '426') expect(response.headers.get('sec-websocket-version')).toBe('13');
      expect(rig.vendor.handshakes).toHaveLength(opened);
      expect(rig.logs()).not.toContain('sk-wrong');
    });
  });

  describe('101', () => {
    it('the handshake is followed by invalid frames; other sessions still open', async () => {
      const response = await rawHttp(context.rig.port, [
        handshakeHead('GET /v1/realtime?model=voice'),
        Buffer.alloc(50_000, 0xff),
      ]);
      expect(response.status).toBe(101);
      await expectOpenSessions(context.rig);
    });

    it('the client disconnects before the response; other sessions still open', async () => {
      const { rig } = context;
      for (let times = 0; times < 20; times++) {
        await rawHttp(rig.port, [handshakeHead('GET /v1/realtime?model=voice')], true);
      }
      await expectOpenSessions(rig);
      await expect.poll(async () => rig.metrics.render()).toContain('sluice_http_requests_in_flight 0');
    });
  });
});

describe.each(['POST', 'PUT', 'DELETE'])('%s /v1/realtime', (method) => {
  const context = useEchoRig();

  describe('405', () => {
    it('the method is not supported', async () => {
      const head = handshakeHead(`${method} /v1/realtime?model=voice`, { connection: 'upgrade, close' });
      const response = await rawHttp(context.rig.port, [head]);
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    });
  });
});

describe.each(['client_secrets', 'calls', 'sessions'])('POST /v1/realtime/%s', (name) => {
  const context = useEchoRig();

  describe('404', () => {
    it('the gateway has no such endpoint', async () => {
      const response = await context.rig.call(`/v1/realtime/${name}`, { method: 'POST' });
      expect(response.status).toBe(404);
    });
  });
});

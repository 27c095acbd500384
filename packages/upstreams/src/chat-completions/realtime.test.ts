import type { RealtimeCall, RealtimeCapability } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { deadOrigin, sendJson, until } from '../../test/local-server.ts';
import { mediaContext } from '../../test/media-context.ts';
import { startRaw } from '../../test/raw-server.ts';
import { startSocketServer } from '../../test/socket-server.ts';
import type { UpstreamAccount } from '../contract/upstream.ts';
import { openAiRealtime } from './realtime.ts';

const KEY = 'sk-test-0123456789';

function realtimeOf(origin: string, account: Partial<UpstreamAccount> = {}): RealtimeCapability {
  return openAiRealtime(
    { kind: 'chat-completions', base_url: `${origin}/v1`, api_key: KEY, ...account },
    mediaContext([]),
  );
}

function callOf(more: Partial<RealtimeCall> = {}): RealtimeCall {
  return { model: 'gpt-realtime', query: [], signal: new AbortController().signal, ...more };
}

describe('realtime upstream of OpenAI’s protocol', () => {
  it('opens a socket with the model, the key, the operator’s headers, and the client’s beta, without compression', async () => {
    await using server = await startSocketServer({});
    const socket = await realtimeOf(server.origin, { headers: { 'X-Team': 'voice' } }).open(
      callOf({ beta: 'realtime=v1', query: [['intent', 'conversation']] }),
    );
    const [{ url, headers } = {}] = server.handshakes;
    expect(url).toBe('/v1/realtime?intent=conversation&model=gpt-realtime');
    expect(headers).toMatchObject({ authorization: `Bearer ${KEY}`, 'x-team': 'voice', 'openai-beta': 'realtime=v1' });
    expect(headers).not.toHaveProperty('sec-websocket-extensions');
    expect(headers).not.toHaveProperty('sec-websocket-protocol');
    socket.terminate();
  });

  it('sends no model if the session has none', async () => {
    await using server = await startSocketServer({});
    const query = [['intent', 'transcription']] as const;
    const socket = await realtimeOf(server.origin).open({ query, signal: new AbortController().signal });
    expect(server.handshakes[0]?.url).toBe('/v1/realtime?intent=transcription');
    socket.terminate();
  });

  it('prefers the operator’s query, so that a client cannot add a second model', async () => {
    await using server = await startSocketServer({});
    const query = [
      ['api-version', 'theirs'],
      ['model', 'another'],
    ] as const;
    const account = { base_url: `${server.origin}/openai?api-version=2026-01-01` };
    const socket = await realtimeOf(server.origin, account).open(callOf({ query }));
    expect(server.handshakes[0]?.url).toBe('/openai/realtime?model=gpt-realtime&api-version=2026-01-01');
    socket.terminate();
  });

  it.each([
    [401, { error: { message: `Incorrect API key: ${KEY}`, code: 'invalid_api_key' } }, 'provider_auth'],
    [
      404,
      { error: { message: 'The model `gpt-realtime` does not exist.', code: 'model_not_found' } },
      'invalid_request',
    ],
    [429, { error: { message: 'slow down' } }, 'rate_limited'],
    [503, undefined, 'provider_overloaded'],
    [302, undefined, 'provider_error'],
    [200, { ok: true }, 'provider_error'],
  ])('returns a refusal with HTTP %i before the socket, without the account’s key', async (status, body, code) => {
    await using server = await startSocketServer({
      refuse: (_, response) => sendJson(response, status, body, { location: 'http://elsewhere.test/' }),
    });
    const error: unknown = await realtimeOf(server.origin)
      .open(callOf())
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      name: 'UpstreamRefusalError',
      status: status === 200 ? 502 : status,
      error: { code },
    });
    expect(String(error)).not.toContain(KEY);
    expect(server.handshakes).toHaveLength(1);
  });

  it('reports that nothing was sent when unreachable', async () => {
    const opening = realtimeOf(await deadOrigin()).open(callOf());
    await expect(opening).rejects.toMatchObject({ name: 'UpstreamError', failure: 'connect', sent: 'no' });
  });

  it('reports a connection that breaks during the handshake', async () => {
    await using server = await startRaw((socket) => socket.destroy());
    const opening = realtimeOf(`http://127.0.0.1:${server.port}`).open(callOf());
    await expect(opening).rejects.toMatchObject({ name: 'UpstreamError', failure: 'reset', sent: 'maybe' });
  });

  it('aborts a handshake at once', async () => {
    await using server = await startRaw();
    const leave = new AbortController();
    const opening = realtimeOf(`http://127.0.0.1:${server.port}`).open(callOf({ signal: leave.signal }));
    await until(() => server.received() > 0);
    leave.abort();
    await expect(opening).rejects.toMatchObject({ name: 'UpstreamError', failure: 'aborted' });
    await until(() => server.closed() === 1);
    await expect(realtimeOf('http://127.0.0.1:1').open(callOf({ signal: leave.signal }))).rejects.toMatchObject({
      failure: 'aborted',
      sent: 'no',
    });
  });

  it('removes the account’s key and host from upstream text', () => {
    const realtime = realtimeOf('https://api.vendor.example:8443');
    expect(realtime.scrub(`bad key ${KEY} at api.vendor.example:8443`)).toBe('bad key [hidden] at [hidden]');
  });

  it('hides the key and credential-like header values in vendor messages', () => {
    const headers = { 'X-Team': 'audio', Authorization: 'Bearer eyJhbGciOiJIUzI1NiJ9' };
    const realtime = realtimeOf('https://api.vendor.example', { headers });
    const holds = (text: string) => realtime.holdsCredential(Buffer.from(`before ${text} after`));
    expect([holds(KEY), holds('eyJhbGciOiJIUzI1NiJ9')]).toEqual([true, true]);
    expect([holds('audio'), holds('api.vendor.example'), holds('Bearer')]).toEqual([false, false, false]);
  });
});

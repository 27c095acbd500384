import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ADMIN_KEY } from '../../test/admin-rig.ts';
import { KEYS } from '../../test/api-rig.ts';
import {
  chatChunk,
  scriptedUpstream,
  type ScriptedUpstream,
  sendJson,
  type TextRig,
  textRig,
} from '../../test/text-rig.ts';
import { respondWith, vendorConfig } from '../../test/vendor.ts';

const messages = [{ role: 'user', content: 'hi' }];
const price = { input: 1_000, output: 10_000 };

let upstream: ScriptedUpstream;
let rig: TextRig;
beforeEach(async () => {
  upstream = await scriptedUpstream(respondWith('hello'));
  const { models, ...config } = vendorConfig(upstream.url);
  const either = {
    id: 'either',
    routes: [
      { upstream: 'chat-completions', model: 'first' },
      { upstream: 'responses', model: 'second' },
    ],
  };
  const pattern = { id: 'any-*', routes: [{ upstream: 'chat-completions', model: '*' }], price };
  const film = { id: 'film', routes: [{ upstream: 'vendor', model: 'model-1' }], price: { video_second: 1 } };
  const keys = [
    { name: 'alice', key: KEYS.alice },
    { name: 'limited', key: 'sk-limited', limits: { rpm: 1 } },
    { name: 'tasks', key: 'sk-open-tasks', limits: { open_tasks: 1 } },
    { name: 'poor', key: 'sk-budget', budget: { usd: 0.01, period: 'day' } },
  ];
  rig = await textRig({
    ...config,
    server: { admin_key: ADMIN_KEY },
    keys,
    models: [...models, either, pattern, film],
  });
});
afterEach(async () => {
  await rig.close();
  await upstream.close();
});

const scrape = async (authorization = `Bearer ${ADMIN_KEY}`) =>
  (await rig.call('/metrics', { headers: { authorization } })).text();

/** Returns a metric family's samples as `labels value`, without the labels that match `without`. */
async function samples(family: string, without = /(?!)/): Promise<string[]> {
  const text = await scrape();
  const lines = text.split('\n').filter((line) => line.startsWith(`${family}{`));
  return lines.map((line) => {
    const [, labels = '', value] = /\{(.*)\} (.*)/.exec(line) ?? [];
    const shown = labels.split(',').filter((label) => !without.test(label));
    return `${shown.join(' ')} ${value}`.replaceAll('"', '');
  });
}

const call = (model: string, more: object = {}) => rig.post('/v1/chat/completions', { model, messages, ...more });

describe('metrics of a request', () => {
  it.each([false, true])('have the model, the key, and the upstream (stream: %s)', async (stream) => {
    const includes = { stream, ...(stream && { stream_options: { include_usage: true } }) };
    for (const model of ['any-one', 'any-two']) await (await call(model, includes)).text();
    const names = 'model=any-* key=alice upstream=chat-completions';
    await expect
      .poll(() => samples('sluice_client_requests_total', /^route|^protocol/))
      .toEqual([`${names} status=200 2`]);
    expect(await samples('sluice_client_requests_total', /^(model|key|upstream|status)/)).toEqual([
      'route=/v1/chat/completions protocol=chat-completions 2',
    ]);
    expect(await samples('sluice_tokens_total')).toEqual([`${names} direction=input 6`, `${names} direction=output 4`]);
    expect(await samples('sluice_cost_usd_total')).toEqual([`${names} ${(6 * 1_000 + 4 * 10_000) / 1e6}`]);
    const attempt = 'upstream=chat-completions model=any-* operation=text';
    expect(await samples('sluice_upstream_attempts_total')).toEqual([`${attempt} outcome=served 2`]);
    expect(await samples('sluice_upstream_attempt_duration_seconds_count')).toEqual([`${attempt} outcome=served 2`]);
    expect(await samples('sluice_upstream_time_to_first_event_seconds_count')).toEqual(stream ? [`${attempt} 2`] : []);
  });

  it('name no model that is not configured, and no request without a valid key', async () => {
    expect((await call('the prompt in place of a model')).status).toBe(404);
    expect((await rig.post('/v1/chat/completions', {}, { headers: { authorization: 'Bearer sk-wrong' } })).status).toBe(
      401,
    );
    await expect
      .poll(() => samples('sluice_client_requests_total', /^route|^protocol/))
      .toEqual(['model=none key=alice upstream=none status=404 1']);
  });

  it('have no credential', async () => {
    await (await call('any-one')).text();
    const text = await scrape();
    expect(text).toContain('key="alice"');
    for (const secret of [KEYS.alice, 'sk-']) expect(text).not.toContain(secret);
  });
});

function attempts(): Promise<string[]> {
  return samples('sluice_upstream_attempts_total', /^operation/);
}

describe('metrics of upstream calls', () => {
  it('have each attempt of a fallback, and a 429 as `rate_limited`', async () => {
    upstream.script = (request, response) =>
      request.path.includes('/chat/')
        ? sendJson(response, 429, { error: { message: 'slow down' } })
        : respondWith('hello')(request, response);
    await (await call('either')).text();
    expect(await attempts()).toEqual([
      'upstream=chat-completions model=either outcome=rate_limited 1',
      'upstream=responses model=either outcome=served 1',
    ]);
  });

  it('have the state of each circuit breaker, and the upstreams that it skips', async () => {
    const state = async () => (await samples('sluice_circuit_breaker_state')).find((one) => one.includes('=chat-com'));
    expect(await state()).toBe('upstream=chat-completions operation=text 0');
    upstream.script = (_request, response) => sendJson(response, 503, { error: { message: 'busy' } });
    for (let count = 0; count < 6; count += 1) await (await call('by-chat')).text();
    expect(await state()).toBe('upstream=chat-completions operation=text 2');
    expect(await attempts()).toEqual([
      'upstream=chat-completions model=by-chat outcome=provider_overloaded 5',
      'upstream=chat-completions model=by-chat outcome=circuit_open 1',
    ]);
    const called = await samples('sluice_upstream_attempt_duration_seconds_count');
    expect(called).toEqual([expect.stringMatching(/outcome=provider_overloaded 5$/)]);
  });

  it('count a stream when it ends, by how it ends', async () => {
    const connections: { destroy(): void }[] = [];
    upstream.script = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(chatChunk({ content: 'one' }));
      if (response.socket) connections.push(response.socket);
    };
    const interrupted = await call('by-chat', { stream: true });
    expect(await samples('sluice_upstream_time_to_first_event_seconds_count')).toHaveLength(1);
    expect(await attempts()).toEqual([]);
    connections[0]?.destroy();
    await interrupted.text();
    const broken = 'upstream=chat-completions model=by-chat outcome=provider_error 1';
    await expect.poll(attempts).toEqual([broken]);

    const client = new AbortController();
    const body = { model: 'by-chat', messages, stream: true };
    await rig.post('/v1/chat/completions', body, { signal: client.signal });
    client.abort();
    const aborted = 'upstream=chat-completions model=by-chat outcome=aborted 1';
    await expect.poll(attempts).toEqual([broken, aborted]);
  });

  it('have direct calls and their cost per request', async () => {
    upstream.script = (_request, response) =>
      sendJson(response, 200, { object: 'list', data: [{ embedding: [1], index: 0 }], usage: { prompt_tokens: 9 } });
    await rig.post('/v1/embeddings', { model: 'any-embedding', input: 'hi' });
    expect(await samples('sluice_upstream_attempts_total')).toEqual([
      'upstream=chat-completions model=any-* operation=embedding outcome=served 1',
    ]);
    expect(await samples('sluice_cost_usd_total', /^key|^upstream/)).toEqual(['model=any-* 0.009']);
  });
});

describe('refusals', () => {
  it('are counted by the limit of the key', async () => {
    const statuses = [];
    const headers = { authorization: 'Bearer sk-limited' };
    for (const content of ['one', 'two']) {
      const body = { model: 'by-chat', messages: [{ role: 'user', content }] };
      statuses.push((await rig.post('/v1/chat/completions', body, { headers })).status);
    }
    expect(statuses).toEqual([200, 429]);
    expect(await samples('sluice_limit_refusals_total')).toEqual(['model=by-chat key=limited limit=requests 1']);
  });

  it('are counted for open tasks and budgets, which the engine checks', async () => {
    const statuses = [];
    for (const key of ['sk-open-tasks', 'sk-open-tasks', 'sk-budget']) {
      const headers = { authorization: `Bearer ${key}` };
      statuses.push((await rig.post('/v1/videos', { model: 'film', prompt: 'a kite' }, { headers })).status);
    }
    expect(statuses).toEqual([200, 429, 429]);
    expect(await samples('sluice_limit_refusals_total')).toEqual([
      'model=film key=tasks limit=open_tasks 1',
      'model=film key=poor limit=budget 1',
    ]);
  });
});

describe('GET /metrics without the admin key', () => {
  it.each(['', 'Bearer wrong', `Bearer ${KEYS.alice}`])('names no model and no key: %j', async (authorization) => {
    await (await call('any-one')).text();
    const text = await scrape(authorization);
    expect(text).toContain('sluice_http_requests_total{');
    expect(text).not.toMatch(/alice|any-|sluice_cost_usd_total/);
  });
});

import type { LedgerEntry } from '@sluice/ledger';
import { openRedis } from '@sluice/testkit';
import type { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { AUDIO, audioUpstream, type AudioUpstream, formOf, postForm } from '../../test/audio-rig.ts';
import { waitForEntries } from '../../test/ledger/ledger-entries.ts';
import { type TextRig, textRig } from '../../test/text-rig.ts';

const PRICE = { input: 1, output: 2, characters: 3, request: 0.001, audio_second: 0.0001 };
const NANOS_PER_REQUEST = 1_000_000;

let vendor: AudioUpstream;
let rig: TextRig;
let redis: Redis;
beforeAll(async () => {
  vendor = await audioUpstream((_request, response) => response.end());
  const account = { kind: 'chat-completions', base_url: `${vendor.url}/v1`, api_key: 'sk-vendor-1' };
  const ranker = { kind: 'jina', base_url: `${vendor.url}/v1`, api_key: 'sk-vendor-1' };
  rig = await textRig({
    upstreams: { direct: account, ranker },
    models: [
      { id: 'all', routes: [{ upstream: 'direct', model: 'theirs' }], price: PRICE },
      { id: 'ranks', routes: [{ upstream: 'ranker', model: 'theirs' }], price: PRICE },
    ],
  });
  redis = openRedis(rig.tasks.redisUrl);
});
afterAll(async () => {
  await rig.close();
  await vendor.close();
  redis.disconnect();
});
afterEach(async () => {
  await redis.del(`{${rig.tasks.prefix}}:ledger`);
});

function respond(body: object | string, type = 'application/json'): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  vendor.response = (_request, response) => response.writeHead(200, { 'content-type': type }).end(text);
}

async function onlyEntry(): Promise<LedgerEntry> {
  const [entry] = await waitForEntries(redis, rig.tasks.prefix, 1);
  if (!entry) throw new Error('there is one entry');
  return entry;
}

const common = { type: 'request', key: 'alice', upstreamModel: 'theirs', isRelayed: false, status: 200 };

describe('the entry of a direct call', () => {
  it.each([
    ['/v1/embeddings', 'POST /v1/embeddings'],
    ['/v1/engines/all/embeddings', 'POST /v1/engines/:model/embeddings'],
    ['/v1beta/models/all:embedContent', 'POST /v1beta/models/*model:embedContent'],
  ])('to %s has its tokens', async (at, endpoint) => {
    respond({ data: [{ index: 0, embedding: [0.5] }], usage: { prompt_tokens: 9, total_tokens: 9 } });
    const reply = await rig.post(at, { model: 'all', input: 'kite', content: { parts: [{ text: 'kite' }] } });
    expect([reply.status, await reply.text()]).toMatchObject([200, expect.any(String)]);
    expect(await onlyEntry()).toMatchObject({
      ...common,
      endpoint,
      model: 'all',
      upstream: 'direct',
      usage: { inputTokens: 9, outputTokens: 0 },
      costNanos: NANOS_PER_REQUEST + 9_000,
    });
  });

  it('to moderate content has only the price of a request', async () => {
    respond({ id: 'm', model: 'x', results: [{ flagged: false, categories: {}, category_scores: {} }] });
    await (await rig.post('/v1/moderations', { model: 'all', input: 'kite' })).text();
    const entry = await onlyEntry();
    expect(entry).toMatchObject({
      ...common,
      endpoint: 'POST /v1/moderations',
      costNanos: NANOS_PER_REQUEST,
      lines: [{ unit: 'requests', quantity: 1, nanos: NANOS_PER_REQUEST }],
    });
    expect(entry).not.toHaveProperty('usage');
  });

  it('to rank documents has its tokens', async () => {
    respond({ results: [{ index: 0, relevance_score: 0.5 }], usage: { total_tokens: 9 } });
    await (await rig.post('/v2/rerank', { model: 'ranks', query: 'a', documents: ['b'] })).text();
    expect(await onlyEntry()).toMatchObject({ ...common, endpoint: 'POST /v2/rerank', upstream: 'ranker' });
  });

  it('to generate speech has its characters', async () => {
    respond('ID3', 'audio/mpeg');
    await (await rig.post('/v1/audio/speech', { model: 'all', input: '🪁ites', voice: 'ash' })).text();
    expect(await onlyEntry()).toMatchObject({
      ...common,
      endpoint: 'POST /v1/audio/speech',
      usage: { characters: 5 },
      firstEventMs: expect.any(Number),
    });
  });

  it('to transcribe audio has its tokens', async () => {
    const usage = { type: 'tokens', input_tokens: 14, output_tokens: 45, total_tokens: 59 };
    respond({ text: 'a kite', usage });
    const reply = await postForm(`${rig.origin}/v1/audio/transcriptions`, formOf([['model', 'all'], AUDIO]));
    expect([reply.status, await reply.json()]).toMatchObject([200, { text: 'a kite' }]);
    expect(await onlyEntry()).toMatchObject({
      ...common,
      endpoint: 'POST /v1/audio/transcriptions',
      usage: { inputTokens: 14, outputTokens: 45 },
      costNanos: NANOS_PER_REQUEST + (14 + 2 * 45) * 1_000,
    });
  });

  it.each([
    ['json', { text: 'a kite', usage: { type: 'duration', seconds: 7 } }, { audioSeconds: 7 }],
    ['json', { text: 'a kite', duration: 7.0004, language: 'en' }, { audioSeconds: 7 }],
    [
      'json',
      { text: 'a kite', usage: { prompt_audio_seconds: 7, prompt_tokens: 4, completion_tokens: 5 } },
      { audioSeconds: 7, inputTokens: 4, outputTokens: 5 },
    ],
    ['srt', { text: 'a kite', duration: 7, segments: [{ start: 0, end: 7, text: 'a kite' }] }, { audioSeconds: 7 }],
  ])('to transcribe audio as %s has the seconds of %o', async (format, reply, usage) => {
    respond(reply);
    const fields: [string, string][] = [
      ['model', 'all'],
      ['response_format', format],
    ];
    const sent = await postForm(`${rig.origin}/v1/audio/transcriptions`, formOf([...fields, AUDIO]));
    expect([sent.status, await sent.text()]).toMatchObject([200, expect.stringContaining('a kite')]);
    const { inputTokens, outputTokens } = { inputTokens: 0, outputTokens: 0, ...usage };
    const entry = await onlyEntry();
    expect(entry).toMatchObject({
      usage,
      costNanos: NANOS_PER_REQUEST + 700_000 + (inputTokens + 2 * outputTokens) * 1_000,
    });
    expect(entry.lines).toContainEqual({ unit: 'audio_seconds', quantity: 7, nanos: 700_000 });
  });

  it('to transcribe audio as events has the seconds of the last event', async () => {
    const done = { type: 'transcript.text.done', text: 'a kite', usage: { type: 'duration', seconds: 7.25 } };
    respond(`data: ${JSON.stringify(done)}\n\n`, 'text/event-stream');
    const fields: [string, string][] = [
      ['model', 'all'],
      ['stream', 'true'],
    ];
    const sent = await postForm(`${rig.origin}/v1/audio/transcriptions`, formOf([...fields, AUDIO]));
    expect(await sent.text()).toContain('a kite');
    expect(await onlyEntry()).toMatchObject({ usage: { audioSeconds: 7.25 } });
  });

  it('names the error of a stream that the upstream breaks', async () => {
    vendor.response = (_request, response) => {
      response.writeHead(200, { 'content-type': 'audio/mpeg' }).write('ID3', () => response.destroy());
    };
    const reply = await rig.post('/v1/audio/speech', { model: 'all', input: 'kites', voice: 'ash' });
    await expect(reply.arrayBuffer()).rejects.toThrow();
    expect(await onlyEntry()).toMatchObject({ status: 200, errorCode: 'provider_error' });
  });
});

import { createLimiter } from '@sluice/limits';
import { openRedis } from '@sluice/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { KEYS } from '../../test/api-rig.ts';
import { type LimitsRig, limitsRig } from '../../test/limits-rig.ts';
import { HandshakeError, realtimeRig } from '../../test/realtime-rig.ts';
import { type Script, sendJson } from '../../test/text-rig.ts';

const usd = 1e9;
const VECTORS = {
  object: 'list',
  data: [{ object: 'embedding', index: 0, embedding: [0.5, 0.25] }],
  model: 'theirs',
  usage: { prompt_tokens: 9, total_tokens: 9 },
};

const vendor: Script = ({ path }, response) => {
  if (path.endsWith('/embeddings')) return sendJson(response, 200, VECTORS);
  if (path.endsWith('/audio/speech')) return void response.writeHead(200, { 'content-type': 'audio/mpeg' }).end('ID3');
  sendJson(response, 500, {});
};

describe('a direct call', () => {
  let rig: LimitsRig;
  afterEach(() => rig.close());

  it('uses the reported tokens and costs their price', async () => {
    rig = await limitsRig({ eve: { limits: { tpm: 100, rpm: 3 }, budget: { usd: 1 } } }, vendor, {
      prices: { 'by-chat': { price: { input: 2 } } },
    });
    const reply = await rig.post('eve', '/v1/embeddings', { model: 'by-chat', input: 'a kite over the sea' });
    expect(reply.status).toBe(200);
    expect(reply.headers.get('x-ratelimit-remaining-requests')).toBe('2');
    await reply.text();
    await expect.poll(() => rig.tokens('eve')).toBe(9);
    await expect.poll(async () => (await rig.limiter.spending('eve')).total).toBe(9 * 2_000);
  });

  it('releases its reservation when it fails', async () => {
    rig = await limitsRig({ eve: { limits: { tpm: 100 }, budget: { usd: 1 } } }, vendor, {
      prices: { 'by-chat': { price: { input: 2, request: 0.1 } } },
    });
    expect((await rig.post('eve', '/v1/moderations', { model: 'by-chat', input: 'kite' })).status).toBe(502);
    expect(await rig.finalSpending('eve')).toMatchObject({ total: 0 });
    expect(await rig.tokens('eve')).toBe(0);
  });

  it('to generate speech costs its characters', async () => {
    rig = await limitsRig({ eve: { budget: { usd: 0.005 } } }, vendor, {
      prices: { 'by-chat': { price: { characters: 100 } } },
    });
    const requestSpeech = (input: string) =>
      rig.post('eve', '/v1/audio/speech', { model: 'by-chat', input, voice: 'ash' });
    expect(await (await requestSpeech('a'.repeat(40))).text()).toBe('ID3');
    await expect.poll(async () => (await rig.limiter.spending('eve')).total).toBe(0.004 * usd);
    expect((await requestSpeech('a'.repeat(11))).status).toBe(429);
    expect((await requestSpeech('a'.repeat(10))).status).toBe(200);
  });
});

describe('a realtime session', () => {
  const usage = { total_tokens: 30, input_tokens: 20, output_tokens: 10 };
  const done = JSON.stringify({ type: 'response.done', response: { status: 'completed', usage } });

  async function start(limits: object, budget?: object) {
    const rig = await realtimeRig({
      config: {
        keys: [{ name: 'alice', key: KEYS.alice, limits, budget }],
        models: [{ id: 'voice', routes: [{ upstream: 'speaker', model: 'theirs' }], price: { input: 1, output: 2 } }],
      },
    });
    rig.vendor.onOpen = (socket) => socket.send(done);
    const redis = openRedis(rig.tasks.redisUrl);
    return {
      rig,
      limiter: createLimiter(redis, { prefix: rig.tasks.prefix }),
      close: async () => {
        redis.disconnect();
        await rig.close();
      },
    };
  }

  it('counts as one request when it opens, and is rejected over the limit before the upstream call', async () => {
    const { rig, close } = await start({ rpm: 1 });
    const { socket, headers } = await rig.connect('model=voice');
    expect(headers).toMatchObject({ 'x-ratelimit-limit-requests': '1', 'x-ratelimit-remaining-requests': '0' });
    expect(headers).toHaveProperty('x-ratelimit-reset-requests');
    const refused = await refusal(rig.connect('model=voice'));
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(JSON.parse(refused.body)).toMatchObject({ error: { code: 'rate_limited' } });
    expect(rig.vendor.handshakes).toHaveLength(1);
    socket.close();
    await close();
  });

  it('uses the tokens of each response, costs their price, and does not open once they are spent', async () => {
    const { rig, limiter, close } = await start({ tpm: 30 }, { usd: 1 });
    const { socket, texts } = await rig.connect('model=voice');
    await expect.poll(() => texts.length).toBe(1);
    await expect.poll(async () => (await limiter.spending('alice')).total).toBe(40_000);
    expect((await refusal(rig.connect('model=voice'))).status).toBe(429);
    socket.close();
    await close();
  });

  it('does not open once the budget is spent, and is charged once', async () => {
    const { rig, limiter, close } = await start({}, { usd: 0.00004 });
    const { socket } = await rig.connect('model=voice');
    await expect.poll(async () => (await limiter.spending('alice')).total).toBe(40_000);
    const refused = await refusal(rig.connect('model=voice'));
    expect(JSON.parse(refused.body)).toMatchObject({ error: { code: 'insufficient_quota' } });
    socket.close();
    await expect.poll(() => rig.vendor.connections.size).toBe(0);
    expect(await limiter.spending('alice')).toMatchObject({ reserved: 0, total: 40_000 });
    await close();
  });
});

/** Returns the HTTP response to a rejected handshake. */
async function refusal(opening: Promise<unknown>): Promise<HandshakeError> {
  const error: unknown = await opening.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof HandshakeError) return error;
  throw new Error('the session was opened', { cause: error });
}

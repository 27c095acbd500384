import { openRedis } from '@sluice/testkit';
import type { Redis } from 'ioredis';
import { createLimiter } from '@sluice/limits';
import { afterEach, describe, expect, it } from 'vitest';
import { KEYS } from '../../test/api-rig.ts';
import { ledgerEntries, waitForEntries } from '../../test/ledger/ledger-entries.ts';
import { type RealtimeRig, realtimeRig } from '../../test/realtime-rig.ts';

const usage = { total_tokens: 30, input_tokens: 20, output_tokens: 10 };
const done = JSON.stringify({ type: 'response.done', response: { status: 'completed', usage } });

let rig: RealtimeRig;
let redis: Redis;
afterEach(async () => {
  redis.disconnect();
  await rig.close();
});

async function start(budget?: object): Promise<void> {
  const routes = [{ upstream: 'speaker', model: 'theirs' }];
  rig = await realtimeRig({
    config: {
      keys: [{ name: 'alice', key: KEYS.alice, budget }],
      models: [{ id: 'voice', routes, price: { input: 1, output: 2 } }],
    },
  });
  redis = openRedis(rig.tasks.redisUrl);
}

describe('the entry of a realtime session', () => {
  it.each([undefined, { usd: 1 }])(
    'is written at its end, with the cost of all its responses (budget %o)',
    async (budget) => {
      await start(budget);
      rig.vendor.onOpen = (socket) => {
        socket.send(done);
        socket.send(done);
      };
      const { socket, texts } = await rig.connect('model=voice');
      await expect.poll(() => texts.length).toBe(2);
      expect(await ledgerEntries(redis, rig.tasks.prefix)).toEqual([]);
      socket.close();
      const [entry] = await waitForEntries(redis, rig.tasks.prefix, 1);
      expect(entry).toMatchObject({
        endpoint: 'GET /v1/realtime',
        protocol: 'realtime',
        model: 'voice',
        upstream: 'speaker',
        upstreamModel: 'theirs',
        status: 101,
        usage: { inputTokens: 40, outputTokens: 20 },
        costNanos: 80_000,
        lines: [
          { unit: 'input_tokens', quantity: 40, nanos: 40_000 },
          { unit: 'output_tokens', quantity: 20, nanos: 40_000 },
        ],
      });
      const { total } = await createLimiter(redis, { prefix: rig.tasks.prefix }).spending('alice');
      expect(total).toBe(budget ? 80_000 : 0);
    },
  );

  it('costs nothing if the session used nothing, or was refused', async () => {
    await start({ usd: 1 });
    const { socket } = await rig.connect('model=voice');
    socket.close();
    await expect(rig.connect('model=mute')).rejects.toThrow('HTTP');
    const entries = await waitForEntries(redis, rig.tasks.prefix, 2);
    expect(entries.map(({ status, costNanos }) => `${status} ${costNanos}`).toSorted()).toEqual(['101 0', '400 0']);
  });
});

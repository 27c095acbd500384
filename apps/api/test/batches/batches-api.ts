import OpenAI from 'openai';
import { expect } from 'vitest';
import { KEYS } from '../api-rig.ts';
import { scriptedUpstream, type ScriptedUpstream, type TextRig, textRig } from '../text-rig.ts';
import { MODELS, respondWith, vendorConfig } from '../vendor.ts';
import { startBatches } from './batches-rig.ts';

export const CHAT = '/v1/chat/completions';
export const messages = [{ role: 'user', content: 'hi' }];
export const window = { completion_window: '24h' } as const;

const priced = (id: string, upstream: string, price: object) => ({ id, price, routes: [{ upstream, model: 'p' }] });

/** An API that runs its batches. Bob's key has a budget, and Carol's may use one model. */
export interface BatchesApi {
  vendor: ScriptedUpstream;
  rig: TextRig;
  /** The client of Alice. */
  openai: OpenAI;
  bob: OpenAI;
  /** Waits until a batch has ended. @returns it */
  ended(id: string, client?: OpenAI): Promise<OpenAI.Batch>;
  close(): Promise<void>;
}

export async function startBatchesApi(): Promise<BatchesApi> {
  const vendor = await scriptedUpstream(respondWith('hello'));
  const { upstreams, models } = vendorConfig(vendor.url);
  const rig = await textRig(
    {
      server: { trusted_proxies: ['127.0.0.1'] },
      upstreams,
      models: [
        ...models,
        priced('priced', 'chat-completions', { input: 1_000, output: 1_000 }),
        priced('film', 'vendor', { video_second: 0.5 }),
        priced('picture', 'chat-completions', { image: 0.25 }),
      ],
      keys: [
        { name: 'alice', key: KEYS.alice },
        { name: 'bob', key: KEYS.bob, budget: { usd: 1, period: 'total' } },
        { name: 'carol', key: KEYS.carol, models: [MODELS.messages] },
      ],
    },
    { redisTimeoutMs: 10_000 },
  );
  const worker = startBatches(rig);
  const client = (apiKey: string) => new OpenAI({ baseURL: `${rig.origin}/v1`, apiKey, maxRetries: 0 });
  const openai = client(KEYS.alice);
  return {
    vendor,
    rig,
    openai,
    bob: client(KEYS.bob),
    async ended(id, { batches } = openai) {
      await expect
        .poll(async () => (await batches.retrieve(id)).status, { timeout: 30_000 })
        .toMatch(/^(?:completed|failed|expired|cancelled)$/);
      return batches.retrieve(id);
    },
    async close() {
      await worker.close(0);
      await rig.close();
      await vendor.close();
    },
  };
}

import { createLimiter, type Limiter, type Spending } from '@sluice/limits';
import { openRedis, testRedis } from '@sluice/testkit';
import type { Redis } from 'ioredis';
import { expect } from 'vitest';
import type { ApiRigOptions } from './api-rig.ts';
import { backgroundWorker, type BackgroundWorker } from './workers/background-worker.ts';
import { type Script, scriptedUpstream, type ScriptedUpstream, type TextRig, textRig } from './text-rig.ts';
import { vendorConfig } from './vendor.ts';

type Clients = Record<string, { limits?: object; budget?: object; labels?: object | undefined }>;

/** Several API processes that share one upstream and one Redis. */
export interface LimitsRig {
  rigs: TextRig[];
  upstream: ScriptedUpstream;
  redis: Redis;
  limiter: Limiter;
  /** Posts JSON with a client's key. Requests are sent to the processes in turn. */
  post(client: string, at: string, body: object | string, init?: { signal?: AbortSignal }): Promise<Response>;
  /** Sends copies of a request concurrently. @returns the responses, with their bodies read */
  sendConcurrently(times: number, client: string, at: string, body: object): Promise<Response[]>;
  /** Starts a worker that runs background responses. */
  startWorker(): Promise<BackgroundWorker>;
  /** Waits until a client has no reservations, and returns its spending. */
  finalSpending(client: string): Promise<Spending>;
  /** Returns the tokens that currently count toward a client's limit. */
  tokens(client: string): Promise<number>;
  close(): Promise<void>;
}

interface LimitsRigOptions extends ApiRigOptions {
  processes?: number;
  /** Additional fields for models by model id (e.g. the price). */
  prices?: Record<string, object>;
}

const PRICED_VIDEO = { id: 'priced-video', routes: [{ upstream: 'vendor', model: 'model-1' }], default_seconds: '6' };

export function keyOf(client: string): string {
  return `sk-${client}-key`;
}

export async function limitsRig(
  clients: Clients,
  script: Script,
  { processes = 1, prices = {}, ...more }: LimitsRigOptions = {},
): Promise<LimitsRig> {
  const upstream = await scriptedUpstream(script);
  const { redisUrl, prefix } = testRedis();
  const { models, ...vendor } = vendorConfig(upstream.url);
  const { upstreams = {}, models: others = [], ...rest } = more.config ?? {};
  const config = {
    ...rest,
    upstreams: { ...vendor.upstreams, ...upstreams },
    models: [...models, PRICED_VIDEO, ...(others as { id: string }[])].map((model) =>
      Object.assign({}, model, prices[model.id]),
    ),
    keys: Object.entries(clients).map(([name, allowed]) => Object.assign({ name, key: keyOf(name) }, allowed)),
  };
  const rigs = await Promise.all(
    Array.from({ length: processes }, () => textRig(config, { redisTimeoutMs: 20_000, ...more, prefix })),
  );
  const redis = openRedis(redisUrl);
  const limiter = createLimiter(redis, { prefix });
  let turn = 0;
  const post: LimitsRig['post'] = (client, at, body, { signal } = {}) => {
    const rig = rigs[turn++ % rigs.length];
    if (!rig) throw new Error('there is at least one process');
    const headers = { authorization: `Bearer ${keyOf(client)}` };
    return rig.post(at, body, { headers, ...(signal && { signal }) });
  };
  const workers: BackgroundWorker[] = [];
  return {
    rigs,
    upstream,
    redis,
    limiter,
    post,
    async startWorker() {
      const [rig] = rigs;
      if (!rig) throw new Error('there is at least one process');
      const worker = await backgroundWorker(rig);
      workers.push(worker);
      return worker;
    },
    async sendConcurrently(times, client, at, body) {
      const responses = await Promise.all(Array.from({ length: times }, () => post(client, at, body)));
      await Promise.all(responses.map((response) => response.clone().text()));
      return responses;
    },
    async finalSpending(client) {
      await expect.poll(async () => (await limiter.spending(client)).reserved).toBe(0);
      return limiter.spending(client);
    },
    async tokens(client) {
      const slots = await redis.hgetall(`{${prefix}}:rate:${client}`);
      const counted = Object.entries(slots).filter(([slot]) => slot.startsWith('t'));
      return counted.reduce((sum, [, tokens]) => sum + Number(tokens), 0);
    },
    async close() {
      await Promise.all(workers.map((worker) => worker.close()));
      await Promise.all(rigs.map((rig) => rig.close()));
      await upstream.close();
      redis.disconnect();
    },
  };
}

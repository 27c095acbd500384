import { type BatchWorker, type LineUse, startBatchWorker } from '@sluice/batches';
import { batchSettings, fileSettings } from '@sluice/config';
import { createLocalContentStore } from '@sluice/content';
import { createFileStore } from '@sluice/files';
import { createLogger } from '@sluice/telemetry';
import { openRedis } from '@sluice/testkit';
import { expect } from 'vitest';
import { type ApiRig, KEYS } from '../api-rig.ts';

const TIMES = { leaseMs: 30_000, pollMs: 20, retryMs: 100, vendorPollMs: 100, lookUpMs: 1_000 };

/** Runs the batches of a rig, whose requests it sends to the rig's API. */
export function startBatches({ config, tasks, origin }: ApiRig): Pick<BatchWorker, 'close'> {
  const { prefix } = config.redis;
  const redis = openRedis(tasks.redisUrl);
  const content = createLocalContentStore(config.contentDir);
  const files = createFileStore({ redis, prefix, content, settings: fileSettings(config) });
  const worker = startBatchWorker({
    redis,
    prefix,
    files,
    settings: { ...batchSettings(config), ...TIMES, maxInFlight: 4 },
    async serve({ owner, path, headers, body, signal }) {
      // The cast is safe because the keys of the rig own all batches.
      const authorization = `Bearer ${KEYS[owner as keyof typeof KEYS]}`;
      // `fetch` sends its own Host.
      const host = { 'x-forwarded-host': headers['host'] ?? '' };
      const sent = { method: 'POST', headers: { ...headers, ...host, authorization }, body, signal };
      const response = await fetch(origin + path, sent);
      const { status, body: stream } = response;
      return { status, headers: Object.fromEntries(response.headers), body: stream ?? emptyBody(), recorded };
    },
    upstreamOf: () => 'upstream',
    logger: createLogger({ level: 'silent', name: 'batches' }),
  });
  return {
    async close(graceMs) {
      await worker.close(graceMs);
      redis.disconnect();
    },
  };
}

async function recorded(): Promise<LineUse> {
  return {};
}

async function* emptyBody(): AsyncGenerator<Uint8Array> {}

/** Uploads an input file with a line for each body. @returns its id */
export async function uploadLines(
  { call }: Pick<ApiRig, 'call'>,
  url: string,
  bodies: readonly object[],
  init: RequestInit = {},
): Promise<string> {
  const lines = bodies.map((body, at) => JSON.stringify({ custom_id: `line-${at}`, method: 'POST', url, body }));
  return uploadFile({ call }, lines.map((line) => `${line}\n`).join(''), init);
}

export async function uploadFile(
  { call }: Pick<ApiRig, 'call'>,
  text: string,
  init: RequestInit = {},
): Promise<string> {
  const form = new FormData();
  form.append('purpose', 'batch');
  form.append('file', new Blob([text]), 'batch.jsonl');
  const response = await call('/v1/files', { method: 'POST', body: form, ...init });
  const body = await response.text();
  expect(response.status, body).toBe(200);
  return (JSON.parse(body) as { id: string }).id; // The cast is safe because every file has an id.
}

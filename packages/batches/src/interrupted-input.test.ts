import { Readable } from 'node:stream';
import { GatewayError } from '@sluice/canonical';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type BatchRig, batchRig, gate, total } from '../test/batch-rig.ts';

const LONG = { timeout: 60_000 };
/** Two of four lines of a segment are sent before its content breaks off. */
const SENT = 2;
let rig: BatchRig;
beforeEach(async () => {
  rig = await batchRig();
});
afterEach(() => rig.close());

/** Runs a batch whose content breaks off once, while lines are in flight. They end when the worker has noticed that. */
async function runInterrupted(error: Error) {
  const { vendor, release } = gate();
  rig.vendor = async (...line) => {
    const reply = await vendor(...line);
    rig.logged.push('line ended');
    return reply;
  };
  async function releaseLater(): Promise<void> {
    // The worker uses the same connection, so its reaction to the error is executed before some of these commands.
    for (let commands = 0; commands < 50; commands += 1) await rig.redis.ping();
    release();
  }
  async function* brokenOff(source: Readable): AsyncGenerator<Uint8Array> {
    for await (const chunk of source as AsyncIterable<Uint8Array>) yield chunk.subarray(0, chunk.length / 2);
    await expect.poll(() => rig.calls.size, LONG).toBe(SENT);
    void releaseLater();
    throw error;
  }
  let isFirst = true;
  const open: BatchRig['files']['open'] = async (id, range) => {
    const source = await rig.files.open(id, range);
    if (!range || !isFirst) return source;
    isFirst = false;
    return Readable.from(brokenOff(source));
  };
  const batch = await rig.create(4);
  rig.startWorker({ retryMs: 1, files: { ...rig.files, open } });
  const status = async (): Promise<string> => {
    // The segment is claimed again after a pause.
    rig.clock.now += 1;
    return (await rig.find(batch)).status;
  };
  await expect.poll(status, LONG).toBe('completed');
  const ended = await rig.find(batch);
  return { ended, results: await rig.results(ended) };
}

it('releases a segment whose content breaks off when its lines in flight have ended', LONG, async () => {
  const { ended, results } = await runInterrupted(new Error('connection reset'));
  const failedAt = rig.logged.findIndex((message) => message.startsWith('batch job failed'));
  expect(rig.logged.slice(0, failedAt).filter((message) => message === 'line ended')).toHaveLength(SENT);
  expect(ended.counts).toMatchObject({ completed: 4, failed: 0 });
  expect(results.map(({ custom_id: id }) => id)).toEqual(['line-0', 'line-1', 'line-2', 'line-3']);
  expect(total(rig.calls)).toBe(4);
});

it('keeps the results of lines in flight if the input is deleted while a segment is read', LONG, async () => {
  const { ended, results } = await runInterrupted(new GatewayError('file_not_found', 'The file does not exist.'));
  expect(ended.counts).toMatchObject({ completed: 2, failed: 2 });
  expect(results.map(({ error }) => error?.code)).toEqual([undefined, undefined, 'request_failed', 'request_failed']);
});

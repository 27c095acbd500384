import { openRedis, startVendorGate, type VendorGate } from '@sluice/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { Client } from '../client.ts';
import { HistoryChecker } from '../history.ts';
import { startMediaStack } from '../media/media-stack.ts';
import { videoClients } from '../media/video-clients.ts';
import { KEY, type Stack } from '../stack.ts';
import { endings, NO_VIOLATIONS, violationsIn } from './violations.ts';

let stack: Stack;
let gate: VendorGate | undefined;
afterEach(async () => {
  for (const worker of stack.workers) worker.process.kill('SIGCONT');
  await stack.close();
  await gate?.close();
});

async function recordOf(id: string): Promise<Record<string, string>> {
  const redis = openRedis(stack.env['REDIS_URL'] ?? '');
  const [key] = await redis.keys(`*:task:${id}`);
  const record = await redis.hgetall(key ?? '');
  redis.disconnect();
  return record;
}

describe('a worker that stalls for longer than its locks', () => {
  it('is fenced: its late submission response is recorded, its late download is not', async () => {
    const delayed = new Set<string>();
    let isOpen = false;
    stack = await startMediaStack({
      vendorFront: async (sandboxUrl) => {
        gate = await startVendorGate(Number(new URL(sandboxUrl).port), (request) => {
          const isSubmission = request.includes('SubmitTask');
          const isDownload = request.startsWith('GET /_files/provider-a/');
          if (isOpen || !(isSubmission || isDownload)) return 'pass';
          delayed.add(isSubmission ? 'submission' : 'download');
          return isSubmission ? 'hold-response' : 'hold-body';
        });
        return gate.url;
      },
      tasks: { submit_unknown_ms: 60_000 },
      config: {
        timeouts: { submit_ms: 60_000, poll_ms: 60_000, look_up_ms: 500, download_idle_ms: 60_000, shutdown_ms: 3_000 },
      },
    });
    const client = new Client(stack.origin, KEY);
    const [videos] = videoClients(client);
    // This vendor has no search, so only the stalled worker knows the submission's outcome.
    const submitted = (await videos?.create('video-provider-b', 'a train that waits'))?.id ?? '';
    const downloaded = (await videos?.create('video-provider-a', 'a train that is fenced'))?.id ?? '';
    await expect.poll(() => delayed.size).toBe(2);
    const [stalled] = stack.workers;
    stalled?.process.kill('SIGSTOP');

    isOpen = true;
    await stack.startWorker();
    await expect.poll(async () => (await recordOf(submitted))['status']).toBe('submit_unknown');
    await expect.poll(async () => (await recordOf(downloaded))['status']).toBe('completed');
    const completed = await recordOf(downloaded);

    gate?.release();
    stalled?.process.kill('SIGCONT');
    const ids = [submitted, downloaded];
    const findings = await new HistoryChecker(client).watch(ids, 30_000);
    expect(await violationsIn(ids, findings, stack.sandboxUrl)).toEqual(NO_VIOLATIONS);
    expect(endings(ids, findings)).toEqual(['completed', 'completed']);
    await expect.poll(() => fencedWrites()).toBeGreaterThan(0);
    expect((await recordOf(downloaded))['outputs']).toBe(completed['outputs']);
    const video = await client.fetch(`/v1/videos/${downloaded}/content`);
    const bytes = Buffer.from(await video.arrayBuffer());
    expect([video.status, bytes.toString('latin1', 4, 8)]).toEqual([200, 'ftyp']);
    expect(String(bytes.length)).toBe(video.headers.get('content-length'));
  }, 120_000);
});

async function fencedWrites(): Promise<number> {
  const text = await (await fetch(`${stack.origin}/metrics`)).text();
  return Number(/^sluice_\w*fenced\w*(?:\{[^}]*\})? (\d+)/m.exec(text)?.[1] ?? 0);
}

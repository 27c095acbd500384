import { type GateOrder, startVendorGate, type VendorGate } from '@sluice/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { Client, sandboxSubmissions } from '../client.ts';
import { HistoryChecker } from '../history.ts';
import { startMediaStack } from '../media/media-stack.ts';
import { videoClients } from '../media/video-clients.ts';
import { KEY, type Stack } from '../stack.ts';
import type { StopPoint } from './stop-at-points.ts';
import { collectStops, stoppingAt } from './stopping.ts';
import { type Receiver, startReceiver } from '../webhooks/receiver.ts';
import { endings, notDeliveredOnce, NO_VIOLATIONS, registerWebhook, violationsIn, webhooksTo } from './violations.ts';

let stack: Stack;
let gate: VendorGate | undefined;
let receiver: Receiver | undefined;
afterEach(async () => {
  await stack.close();
  await gate?.close();
  gate = undefined;
  receiver?.close();
});

/** At these points, the vendor gate stops the task. At the other points, the worker stops it. */
type VendorPoint = 'post-sent' | 'downloading';
type WorkerPoint = Exclude<StopPoint, 'admitted' | 'response-pending'> | VendorPoint;

/**
 * Maps the point at which the first worker is killed to the point at which the next worker is killed. They are the same
 * if the next worker reaches that point. Otherwise the next worker is killed after its claim.
 */
const POINTS: Record<WorkerPoint, WorkerPoint> = {
  claimed: 'claimed',
  'intent-written': 'claimed',
  'post-sent': 'claimed',
  accepted: 'claimed',
  recorded: 'claimed',
  polled: 'claimed',
  'vendor-done': 'vendor-done',
  downloading: 'downloading',
  stored: 'stored',
  completed: 'claimed',
};
/** At these points, the vendor may have accepted the job, but Redis does not contain its id yet. */
const UNRECORDED: ReadonlySet<string> = new Set(['intent-written', 'post-sent', 'accepted']);
/**
 * The first vendor's search is conclusive either way. The second's can show that a job exists, but not that it doesn't.
 * The third has no search.
 */
const KINDS = ['provider-a', 'videos', 'provider-b'] as const;

function endingOf(kind: string, point: string): string {
  if (kind === 'provider-a' || !UNRECORDED.has(point)) return 'completed';
  return kind === 'videos' && point === 'accepted' ? 'completed' : 'submission_unknown';
}

interface KilledTask {
  id: string;
  kind: string;
  point: WorkerPoint;
}

describe('kill -9 of the worker at each named point of a task, and of the next worker', () => {
  it('ends every task once, as far as its vendor’s search allows, and submits it at most once', async () => {
    /** The stop point of each task, keyed by task id. */
    let stops = new Map<string, WorkerPoint>();
    let stopped = new Map<string, string>();
    const jobs = new Map<string, string>();

    function order(request: string): GateOrder {
      const [, path = ''] = /^[A-Z]+ (\S+)/.exec(request) ?? [];
      const task = /x-client-request-id: (\S+)/i.exec(request)?.[1];
      const job = /"task_id":"(\w+)"/.exec(request)?.[1] ?? /([^/?]+)(?:\?|$)/.exec(path)?.[1];
      if (task !== undefined && job !== undefined && !isSubmission(request)) jobs.set(job, task);
      const id = task ?? [...jobs].find(([one]) => path.includes(one))?.[1] ?? '';
      const point = stops.get(id);
      const isDownload = /\/content\b|\/_files\//.test(path);
      if (point === 'post-sent' && isSubmission(request)) stopped.set(id, point);
      else if (point === 'downloading' && isDownload) stopped.set(id, point);
      else return 'pass';
      return point === 'post-sent' ? 'hold-request' : 'hold-body';
    }

    receiver = await startReceiver();
    const { origin, deliveries } = receiver;
    stack = await startMediaStack({
      workers: 0,
      renderMs: 200,
      vendorFront: async (sandboxUrl) => {
        gate = await startVendorGate(Number(new URL(sandboxUrl).port), order);
        return gate.url;
      },
      tasks: { submit_unknown_ms: 4_000 },
      config: {
        webhooks: webhooksTo(origin),
        timeouts: { submit_ms: 60_000, poll_ms: 60_000, look_up_ms: 500, download_idle_ms: 60_000, shutdown_ms: 3_000 },
      },
    });
    const client = new Client(stack.origin, KEY);
    await registerWebhook(client, `${origin}/ends`);
    const [videos] = videoClients(client);
    const tasks: KilledTask[] = await Promise.all(
      KINDS.flatMap((kind) =>
        (Object.keys(POINTS) as WorkerPoint[]).map(async (point) => ({
          // Rendering must take long enough that a job is still running at its first poll, even on a busy machine.
          id:
            (await videos?.create(`video-${kind}`, `a ferry ${kind} ${point === 'polled' ? '[slow:20]' : point}`))
              ?.id ?? '',
          kind,
          point,
        })),
      ),
    );

    async function killAt(points: Map<string, WorkerPoint>): Promise<void> {
      stops = points;
      stopped = new Map();
      const workerPoints = [...points].filter(([, point]) => point !== 'post-sent' && point !== 'downloading');
      const worker = await stack.startWorker(stoppingAt(Object.fromEntries(workerPoints) as Record<string, StopPoint>));
      collectStops(worker, stopped);
      const missing = () =>
        tasks.flatMap(({ id, kind, point }) => (stopped.get(id) === points.get(id) ? [] : `${kind} ${point}`));
      await expect.poll(missing, { timeout: 60_000 }).toEqual([]);
      await worker.kill();
    }
    await killAt(new Map(tasks.map(({ id, point }) => [id, point])));
    await killAt(new Map(tasks.map(({ id, point }) => [id, POINTS[point]])));
    stops = new Map();
    await stack.startWorker();

    const ids = tasks.map(({ id }) => id);
    const findings = await new HistoryChecker(client).watch(ids, 60_000);
    expect(await violationsIn(ids, findings, stack.sandboxUrl)).toEqual(NO_VIOLATIONS);
    const byTask = (outcomes: string[]) =>
      Object.fromEntries(outcomes.map((outcome, i) => [`${tasks[i]?.kind} ${tasks[i]?.point}`, outcome]));
    expect(byTask(endings(ids, findings))).toEqual(byTask(tasks.map(({ kind, point }) => endingOf(kind, point))));
    await expect.poll(() => notDeliveredOnce(ids, deliveries)).toEqual([]);
    const { submissions } = await sandboxSubmissions(stack.sandboxUrl);
    expect(submissions.every(({ applied }) => applied === 1)).toBe(true);
  }, 180_000);
});

function isSubmission(request: string): boolean {
  return request.startsWith('POST ') && !request.includes('GetResult');
}

describe('kill -9 of the API, twice', () => {
  it('completes recorded tasks if it was killed before the response to a create, and before the wake-up after it', async () => {
    stack = await startMediaStack({ workers: 0, apiEnv: stoppingAt({ '*': 'admitted' }) });
    const client = new Client(stack.origin, KEY);
    const admitted = stopOf('admitted');
    const first = client.create('the first ferry', 'first');
    await admitted;
    await stack.api.kill();
    await stack.startApi(stoppingAt({ '*': 'response-pending' }));
    const recordedSecond = stopOf('response-pending');
    // The client retries the interrupted create with the same idempotency key.
    const ids = [(await first).id];

    ids.push((await client.create('the second ferry', 'second')).id);
    await recordedSecond;
    await stack.api.kill();
    await stack.startApi();
    await stack.startWorker();
    const findings = await new HistoryChecker(client).watch(ids, 30_000);
    expect(await violationsIn(ids, findings, stack.sandboxUrl)).toEqual(NO_VIOLATIONS);
    expect(endings(ids, findings)).toEqual(['completed', 'completed']);
    const { total_applied } = await sandboxSubmissions(stack.sandboxUrl);
    expect(total_applied).toBe(2);
  }, 90_000);
});

async function stopOf(point: StopPoint): Promise<void> {
  const stopped = new Map<string, string>();
  collectStops(stack.api, stopped);
  await expect.poll(() => stopped.get('*')).toBe(point);
}

import { notDeliveredOnce, registerWebhook } from '../faults/violations.ts';
import { HistoryChecker } from '../history.ts';
import { videoClients } from '../media/video-clients.ts';
import { KEY } from '../stack.ts';
import { startChaosFleet } from './chaos-fleet.ts';
import { type ChaosReport, judgeChaos } from './judge-chaos.ts';
import { FleetClient } from './fleet-client.ts';
import { type AcceptedTask, type ChaosOptions, type PlannedKill, type PlannedTask, planChaos } from './plan-chaos.ts';

/** The production setting. With a lower value, slow searches would not find their jobs in time. */
const UNKNOWN_MS = 150_000;
/** Maximum time for which a client retries a create. */
const CREATE_RETRY_MS = 120_000;
/**
 * After the kills, the run stops waiting for open tasks if none ends within this time. It is longer than the search for
 * a lost submission, so it does not depend on the machine's speed.
 */
const STANDSTILL_MS = 200_000;
/** Maximum time until the last webhooks arrive. */
const DELIVERY_MS = 60_000;
const POLL_BATCH = 20;
/** Maximum time for which the final check retries a read. */
const READ_RETRY_MS = 10_000;
/** The pause keeps the polls from using all of the machine's CPU. */
const POLL_PAUSE_MS = 250;

/**
 * Executes the plan: creates tasks, kills processes, polls the tasks, and checks their outcomes.
 * @param report receives progress lines
 * @param signal interrupts the run and stops all processes
 */
export async function runChaos(
  options: ChaosOptions,
  report: (line: string) => void,
  signal: AbortSignal,
): Promise<ChaosReport> {
  const plan = planChaos(options);
  const unknownMs = options.unknownMs ?? UNKNOWN_MS;
  const fleet = await startChaosFleet({ ...options, unknownMs, lookUpMs: options.lookUpMs ?? unknownMs / 3 });
  try {
    const start = Date.now();
    const accepted: AcceptedTask[] = [];
    const refused: string[] = [];
    /** The times at which the run saw the ends of tasks. */
    const endedAt = new Map<string, number>();
    const watcher = new FleetClient(fleet.origins, KEY, { retryMs: 0 });
    const checker = new HistoryChecker(watcher);
    await registerWebhook(watcher, `${fleet.receiver.origin}/ends`);

    const until = (atMs: number) => pause(start + atMs - Date.now(), signal);
    async function create(planned: PlannedTask): Promise<void> {
      await until(planned.atMs);
      const { idempotencyKey, protocol, kind, prompt } = planned;
      const client = new FleetClient(fleet.origins, KEY, { retryMs: CREATE_RETRY_MS, idempotencyKey });
      const response = await videoClients(client)[protocol]?.create(`video-${kind.kind}`, prompt);
      if (response?.response.status === 200 && response.id !== '') {
        accepted.push({ ...planned, id: response.id, acceptedAt: Date.now() });
      } else refused.push(`${idempotencyKey}: ${response?.response.status} ${JSON.stringify(response?.body)}`);
    }
    async function killAll(kills: readonly PlannedKill[]): Promise<void> {
      const restarts = new Map<string, Promise<void>>();
      for (const kill of kills) {
        await until(kill.atMs);
        // The process must be ready before it can be killed again.
        const victim = `${kill.part} ${kill.index}`;
        await restarts.get(victim);
        const restart = fleet.kill(kill);
        restart.catch(() => undefined); // The rejection is handled below.
        restarts.set(victim, restart);
        report(
          `${seconds(Date.now() - start)}  kill -9 ${victim}   ${accepted.length} accepted, ${open().length} open`,
        );
      }
      await Promise.all(restarts.values());
    }
    const open = () => accepted.filter(({ id }) => !checker.hasEnded(id)).map(({ id }) => id);
    async function poll(ids: readonly string[]): Promise<void> {
      for (let i = 0; i < ids.length; i += POLL_BATCH) {
        const batch = ids.slice(i, i + POLL_BATCH);
        await checker.poll(batch);
        for (const id of batch) if (checker.hasEnded(id) && !endedAt.has(id)) endedAt.set(id, Date.now());
        await pause(POLL_PAUSE_MS, signal);
      }
    }

    const load = { isDone: false };
    const work = Promise.all([...plan.tasks.map(create), killAll(plan.kills)]).finally(() => (load.isDone = true));
    work.catch(() => undefined); // The rejection is handled below.
    let remaining = { count: Infinity, since: Date.now() };
    while (!load.isDone || (remaining.count > 0 && Date.now() - remaining.since < STANDSTILL_MS)) {
      await poll(open());
      const count = open().length;
      if (!load.isDone || count < remaining.count) remaining = { count, since: Date.now() };
      await pause(POLL_PAUSE_MS, signal);
    }
    await work;
    const reloadFaults = (await fleet.reloads?.settle(fleet.origins[0] ?? '')) ?? [];
    report(`${seconds(Date.now() - start)}  no task is open; polling each task once more`);
    await poll(accepted.map(({ id }) => id)); // A second poll checks that final states do not change.
    const ended = accepted.map(({ id }) => id).filter((id) => checker.hasEnded(id));
    const undelivered = () => notDeliveredOnce(ended, fleet.receiver.deliveries).length;
    const deliveredBy = Date.now() + DELIVERY_MS;
    while (undelivered() > 0 && Date.now() < deliveredBy) await pause(POLL_PAUSE_MS, signal);
    const client = new FleetClient(fleet.origins, KEY, { retryMs: READ_RETRY_MS });
    const judged = await judgeChaos({ accepted, refused, endedAt, checker, fleet, plan, client });
    return { ...judged, faults: [...judged.faults, ...reloadFaults] };
  } finally {
    await fleet.close();
  }
}

function seconds(ms: number): string {
  return `${Math.round(ms / 1000)} s`.padStart(6);
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (ms <= 0) return;
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', stop, { once: true });
    function done(): void {
      signal.removeEventListener('abort', stop);
      resolve();
    }
    function stop(): void {
      clearTimeout(timer);
      reject(signal.reason as Error); // The cast is safe because the caller aborts with an Error.
    }
  });
}

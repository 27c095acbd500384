import { notReportedOnce, announceEnds } from '../faults/decision.ts';
import { HistoryChecker } from '../history.ts';
import { videoClients } from '../media/video-clients.ts';
import { KEY } from '../stack.ts';
import { startChaosFleet } from './chaos-fleet.ts';
import { type AcceptedTask, type ChaosReport, judgeChaos } from './judge-chaos.ts';
import { FleetClient } from './fleet-client.ts';
import { type ChaosOptions, type PlannedKill, type PlannedTask, planChaos } from './plan-chaos.ts';

/** The same as in production: only then is a search without result believed. */
const UNKNOWN_MS = 150_000;
/** Longest that a client repeats a create. */
const CREATE_PATIENCE_MS = 120_000;
/**
 * When the kills are over, what is open is waited for as long as something ends in so much time: longer than a lost
 * submission is looked for. How fast a busy machine works is no matter.
 */
const STANDSTILL_MS = 200_000;
/** The last webhooks arrive within this time. */
const REPORT_MS = 60_000;
/** Tasks looked at in one go. */
const LOOK_BATCH = 20;
/** Between two goes: watching must not be what keeps the machine busy. */
const LOOK_PAUSE_MS = 250;

/**
 * Makes tasks and kills processes as the seed has it, watches through the API, and judges what came of it.
 * @param tell takes a line now and then for somebody who waits
 * @param signal breaks the run off; everything is taken down all the same
 */
export async function runChaos(
  options: ChaosOptions,
  tell: (line: string) => void,
  signal: AbortSignal,
): Promise<ChaosReport> {
  const plan = planChaos(options);
  const fleet = await startChaosFleet(options.unknownMs ?? UNKNOWN_MS);
  try {
    const start = Date.now();
    const accepted: AcceptedTask[] = [];
    const refused: string[] = [];
    const watcher = new FleetClient(fleet.origins, KEY, { patienceMs: 0 });
    const checker = new HistoryChecker(watcher);
    await announceEnds(watcher, `${fleet.receiver.origin}/ends`);

    const until = (atMs: number) => pause(start + atMs - Date.now(), signal);
    async function create(planned: PlannedTask): Promise<void> {
      await until(planned.atMs);
      const { idempotencyKey, protocol, kind, prompt } = planned;
      const client = new FleetClient(fleet.origins, KEY, { patienceMs: CREATE_PATIENCE_MS, idempotencyKey });
      const response = await videoClients(client)[protocol]?.create(`video-${kind.kind}`, prompt);
      if (response?.response.status === 200 && response.id !== '') accepted.push({ ...planned, id: response.id });
      else refused.push(`${idempotencyKey}: ${response?.response.status} ${JSON.stringify(response?.body)}`);
    }
    async function strike(kills: readonly PlannedKill[]): Promise<void> {
      const up = new Map<string, Promise<void>>();
      for (const kill of kills) {
        await until(kill.atMs);
        // A process dies only after it has served: else one would stand for all.
        const victim = `${kill.part} ${kill.index}`;
        await up.get(victim);
        const again = fleet.kill(kill);
        again.catch(() => undefined); // handled below
        up.set(victim, again);
        tell(`${seconds(Date.now() - start)}  kill -9 ${victim}   ${accepted.length} accepted, ${open().length} open`);
      }
      await Promise.all(up.values());
    }
    const open = () => accepted.filter(({ id }) => !checker.hasEnded(id)).map(({ id }) => id);
    async function look(ids: readonly string[]): Promise<void> {
      for (let i = 0; i < ids.length; i += LOOK_BATCH) {
        await checker.look(ids.slice(i, i + LOOK_BATCH));
        await pause(LOOK_PAUSE_MS, signal);
      }
    }

    const making = { isOver: false };
    const work = Promise.all([...plan.tasks.map(create), strike(plan.kills)]).finally(() => (making.isOver = true));
    work.catch(() => undefined); // handled below
    let left = { count: Infinity, since: Date.now() };
    while (!making.isOver || (left.count > 0 && Date.now() - left.since < STANDSTILL_MS)) {
      await look(open());
      const count = open().length;
      if (!making.isOver || count < left.count) left = { count, since: Date.now() };
      await pause(LOOK_PAUSE_MS, signal);
    }
    await work;
    tell(`${seconds(Date.now() - start)}  all is quiet; looking at each task once more`);
    await look(accepted.map(({ id }) => id)); // final states stay
    const ended = accepted.map(({ id }) => id).filter((id) => checker.hasEnded(id));
    const undelivered = () => notReportedOnce(ended, fleet.receiver.deliveries).length;
    const deliveredBy = Date.now() + REPORT_MS;
    while (undelivered() > 0 && Date.now() < deliveredBy) await pause(LOOK_PAUSE_MS, signal);
    return await judgeChaos({ accepted, refused, checker, fleet, plan, client: watcher });
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
      reject(signal.reason as Error); // the caller's reason
    }
  });
}

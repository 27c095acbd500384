import { type Client, sandboxSubmissions } from '../client.ts';
import { endings, notDeliveredOnce, violationsIn } from '../faults/violations.ts';
import type { HistoryChecker } from '../history.ts';
import { endingOf } from '../media/vendor-endings.ts';
import { type ChaosFleet, CLIENT } from './chaos-fleet.ts';
import { judgeLedger } from './judge-ledger.ts';
import { judgeLosses } from './judge-losses.ts';
import type { AcceptedTask, PlannedKill, PlannedTask } from './plan-chaos.ts';

export interface ChaosReport {
  rows: [string, string | number][];
  /** Violations of the guarantees, one per line. */
  faults: string[];
}

interface ChaosHistory {
  accepted: readonly AcceptedTask[];
  refused: readonly string[];
  endedAt: ReadonlyMap<string, number>;
  checker: HistoryChecker;
  fleet: Pick<
    ChaosFleet,
    | 'sandboxUrl'
    | 'redisUrls'
    | 'ledgerFile'
    | 'receiver'
    | 'steps'
    | 'apiRecovery'
    | 'redisRecovery'
    | 'failedStarts'
    | 'vendorDelayMs'
    | 'losses'
    | 'reloads'
  >;
  plan: { kills: readonly PlannedKill[] };
  client: Client;
}

/** Checks the history of a run and summarizes it. */
export async function judgeChaos(history: ChaosHistory): Promise<ChaosReport> {
  const { accepted, refused, checker, fleet, plan, client } = history;
  const ids = accepted.map(({ id }) => id);
  const findings = checker.findings(ids);
  const { lost, broken, open, twice } = await violationsIn(ids, findings, fleet.sandboxUrl);
  const { submissions } = await sandboxSubmissions(fleet.sandboxUrl);
  const applied = new Map(submissions.map((one) => [one.task, one.applied]));
  const ended = endings(ids, findings);
  const wrong = accepted.flatMap((task, i) => {
    const ending = ended[i] ?? '';
    return open.includes(task.id) || allowedEndings(task, applied.get(task.id) ?? 0).has(ending)
      ? []
      : `${nameOf(task)} ended ${ending}`;
  });
  const empty = await withoutContent(
    client,
    ids.filter((_, i) => ended[i] === 'completed'),
  );

  const undelivered = notDeliveredOnce(
    ids.filter((id) => !open.includes(id)),
    fleet.receiver.deliveries,
  );

  const ledger = await judgeLedger(
    fleet,
    CLIENT,
    ids.filter((id) => !open.includes(id)),
  );
  const losses = judgeLosses(accepted, history.endedAt, fleet.losses);
  const endCounts = [...Map.groupBy(ended, (ending) => ending)].map(([ending, all]) => [ending, all.length] as const);
  const kills = Object.entries(Object.groupBy(plan.kills, ({ part }) => part));
  const rows: ChaosReport['rows'] = [
    ['tasks accepted', ids.length],
    ...endCounts
      .toSorted(([one], [other]) => one.localeCompare(other))
      .map(([ending, count]): [string, number] => [
        ending === 'completed' ? 'ended completed' : `ended failed: ${ending}`,
        count,
      ]),
    ['refused at create', refused.length],
    ['lost', lost.length],
    ['never ended', open.length],
    ['submitted twice', twice.length],
    ['wrong final state', wrong.length],
    ['left a final state or regressed', broken.length],
    ['completed without content', empty.length],
    ['notified under no id or several ids', undelivered.length],
    ['ledger entries of tasks', ledger.entries],
    ['sum of the ledger entries, in nano-dollars', ledger.costNanos],
    ['ledger entries lost, doubled, or wrong', ledger.faults.length],
    ...(fleet.redisUrls().length > 1 ? losses.rows : []),
    ...(fleet.reloads ? [['changes of the configuration', fleet.reloads.count()] as [string, number]] : []),
    ...kills.map(([part, all]): [string, number] => [`kill -9 of ${NAMES[part] ?? part}`, all.length]),
    ['repeated starts', fleet.failedStarts()],
    ['maximum response time of the sandbox', `${(fleet.vendorDelayMs() / 1_000).toFixed(1)} s`],
    ['steps recovered from killed workers', fleet.steps.samples.length],
    ['recovery of a worker’s step, p50 / p99', spread(fleet.steps.samples)],
    ['recovery of an API process, p50 / p99', spread(fleet.apiRecovery)],
    ['recovery after Redis, p50 / p99', spread(fleet.redisRecovery)],
  ];
  const faults = [
    ...refused.map((what) => `refused at create: ${what}`),
    ...lost.map((id) => `lost: ${id}`),
    ...open.map((id) => `never ended: ${id}`),
    ...accepted.filter(({ id }) => twice.includes(id)).map((task) => `submitted twice: ${nameOf(task)}`),
    ...wrong.map((what) => `wrong final state: ${what}`),
    ...broken,
    ...(await withDeliveries(client, undelivered)),
    ...empty.map((id) => `completed without content: ${id}`),
    ...ledger.faults,
    ...losses.faults,
  ];
  return { rows, faults };
}

function nameOf({ id, kind, directive, atMs }: AcceptedTask): string {
  return `${id} (${kind.kind}, ${directive || 'no fault'}, created at ${Math.round(atMs / 1000)} s)`;
}

const NAMES: Record<string, string> = { worker: 'a worker', api: 'an API process', redis: 'Redis' };

/**
 * Returns the allowed outcomes of a task under kills. One is the outcome of the injected vendor fault.
 * `submission_unknown` is another if the submission cannot be reconciled, because the vendor has no search or its
 * search cannot prove that a job does not exist.
 */
function allowedEndings({ kind, directive }: PlannedTask, applied: number): Set<string> {
  const lateReply = /\[late-reply:8\]/.test(directive) ? '[lost-reply]' : directive;
  const cannotProve = kind.kind !== 'provider-a' && (kind.lost === 'unknown' || applied === 0);
  return new Set([endingOf(lateReply, kind), ...(cannotProve ? ['submission_unknown'] : [])]);
}

/** Describes the tasks whose final event was not delivered under exactly one id, with the attempts to deliver it. */
async function withDeliveries(client: Client, ids: readonly string[]): Promise<string[]> {
  const faults: string[] = [];
  for (const id of ids) {
    const response = await client.fetch(`/v1/tasks/${id}`);
    // The cast is safe because the gateway's responses have this format.
    const { deliveries } = (await response.json()) as { deliveries?: unknown };
    faults.push(`not notified under exactly one id: ${id} (deliveries: ${JSON.stringify(deliveries)})`);
  }
  return faults;
}

async function withoutContent(client: Client, ids: readonly string[]): Promise<string[]> {
  const empty: string[] = [];
  for (const id of ids) {
    const response = await client.fetch(`/v1/videos/${id}/content`, { method: 'HEAD' });
    if (response.status !== 200 || response.headers.get('content-type') !== 'video/mp4') empty.push(id);
  }
  return empty;
}

/** Formats the median and the 99th percentile, in seconds. */
function spread(samples: readonly number[]): string {
  if (samples.length === 0) return 'none';
  const sorted = samples.toSorted((one, other) => one - other);
  const at = (share: number) => (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0) / 1_000;
  return `${at(0.5).toFixed(1)} s / ${at(0.99).toFixed(1)} s`;
}

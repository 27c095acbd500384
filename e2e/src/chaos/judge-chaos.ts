import { type Client, sandboxSubmissions } from '../client.ts';
import { endings, notReportedOnce, decisionOn } from '../faults/decision.ts';
import type { HistoryChecker } from '../history.ts';
import { endingOf } from '../media/vendor-endings.ts';
import type { ChaosFleet } from './chaos-fleet.ts';
import type { PlannedKill, PlannedTask } from './plan-chaos.ts';

/** A task that a create was answered with. */
export interface AcceptedTask extends PlannedTask {
  id: string;
}

/** Result of a run. */
export interface ChaosReport {
  /** Rows of the table: name and value. */
  rows: [string, string | number][];
  /** Violations, one line each; empty after a good run. */
  faults: string[];
}

interface ChaosHistory {
  accepted: readonly AcceptedTask[];
  /** Creates that were answered with something else than a task. */
  refused: readonly string[];
  checker: HistoryChecker;
  fleet: Pick<
    ChaosFleet,
    'sandboxUrl' | 'receiver' | 'steps' | 'apiRecovery' | 'redisRecovery' | 'failedStarts' | 'vendorSilenceMs'
  >;
  plan: { kills: readonly PlannedKill[] };
  client: Client;
}

/** Holds the history of a run against the model, and puts it into a table. */
export async function judgeChaos(history: ChaosHistory): Promise<ChaosReport> {
  const { accepted, refused, checker, fleet, plan, client } = history;
  const ids = accepted.map(({ id }) => id);
  const findings = checker.findings(ids);
  const { lost, broken, open, twice } = await decisionOn(ids, findings, fleet.sandboxUrl);
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

  const undelivered = notReportedOnce(
    ids.filter((id) => !open.includes(id)),
    fleet.receiver.deliveries,
  );

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
    ['left a final state, or went backwards', broken.length],
    ['completed without content', empty.length],
    ['notified under no id, or under several', undelivered.length],
    ...kills.map(([part, all]): [string, number] => [`kill -9 of ${NAMES[part] ?? part}`, all.length]),
    ['starts that had to be repeated', fleet.failedStarts()],
    ['longest silence of the sandbox', `${(fleet.vendorSilenceMs() / 1_000).toFixed(1)} s`],
    ['steps taken over from killed workers', fleet.steps.samples.length],
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
    ...undelivered.map((id) => `not notified under exactly one id: ${id}`),
    ...empty.map((id) => `completed without content: ${id}`),
  ];
  return { rows, faults };
}

function nameOf({ id, kind, word, atMs }: AcceptedTask): string {
  return `${id} (${kind.kind}, ${word || 'no fault'}, made at ${Math.round(atMs / 1000)} s)`;
}

const NAMES: Record<string, string> = { worker: 'a worker', api: 'an API process', redis: 'Redis' };

/**
 * Allowed outcomes of a task under kills: that of its vendor's fault, or unknown if a killed submission cannot be
 * reconciled, because the vendor has no search or cannot prove that there is no such job.
 */
function allowedEndings({ kind, word }: PlannedTask, applied: number): Set<string> {
  const lateReply = /\[late-reply:8\]/.test(word) ? '[lost-reply]' : word;
  const cannotProve = kind.kind !== 'provider-a' && (kind.lost === 'unknown' || applied === 0);
  return new Set([endingOf(lateReply, kind), ...(cannotProve ? ['submission_unknown'] : [])]);
}

async function withoutContent(client: Client, ids: readonly string[]): Promise<string[]> {
  const empty: string[] = [];
  for (const id of ids) {
    const response = await client.fetch(`/v1/videos/${id}/content`, { method: 'HEAD' });
    if (response.status !== 200 || response.headers.get('content-type') !== 'video/mp4') empty.push(id);
  }
  return empty;
}

/** The median and the 99th percentile, in seconds. */
function spread(samples: readonly number[]): string {
  if (samples.length === 0) return 'none';
  const sorted = samples.toSorted((one, other) => one - other);
  const at = (share: number) => (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0) / 1_000;
  return `${at(0.5).toFixed(1)} s / ${at(0.99).toFixed(1)} s`;
}

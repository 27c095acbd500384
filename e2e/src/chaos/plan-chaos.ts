import { FAULT_DIRECTIVES } from '../media/vendor-endings.ts';
import { VENDOR_KINDS, type VendorKind } from '../media/vendor-kinds.ts';
import { seededRandom } from './seeded-random.ts';

/** One server, a primary with a replica and Sentinels, or three shards. */
export const REDIS_KINDS = ['single', 'sentinel', 'shards'] as const;
export type RedisKind = (typeof REDIS_KINDS)[number];

export interface ChaosOptions {
  seed: number;
  tasks: number;
  /** Period in which tasks are created and processes are killed. Afterwards the run waits for open tasks. */
  minutes: number;
  /** Value of `submit_unknown_ms`; default 150,000. */
  unknownMs?: number;
  /** Value of `look_up_ms`; default: a third of `unknownMs`. */
  lookUpMs?: number;
  /** The default is `single`. */
  redis?: RedisKind;
  /** Whether each upstream has a pool of credentials. */
  pools?: boolean;
  /** The time between two changes of the configuration; by default, it does not change. */
  reloadSeconds?: number;
}

/** Number of processes of each kind. `redis` is the number of servers that a plan kills by default. */
export const PARTS = { worker: 3, api: 2, redis: 1 } as const;
export type Part = keyof typeof PARTS;

export interface PlannedTask {
  /** Milliseconds from the start of the run. */
  atMs: number;
  /** Index of the client protocol. */
  protocol: number;
  kind: VendorKind;
  /** Sandbox directive that causes a fault; empty for no fault. */
  directive: string;
  prompt: string;
  idempotencyKey: string;
}

/** A task that the gateway has accepted. */
export interface AcceptedTask extends PlannedTask {
  id: string;
  /** In Unix milliseconds. */
  acceptedAt: number;
}

export interface PlannedKill {
  atMs: number;
  part: Part;
  index: number;
  /** Delay before the restart. A supervisor also restarts with a delay. */
  awayMs: number;
}

/** Sandbox directives that cause delays. */
const SLOW_DIRECTIVES = ['[slow:3]', '[late-reply:1]', '[late-reply:8]'];
const PROTOCOLS = 4;
/** Tasks are created only in this fraction of the period. The last tasks need the remaining time. */
const BUSY_SHARE = 0.9;
const KILL_EVERY_MS = 8_000;
const MAX_AWAY_MS = 2_000;
/** Workers are killed most often, Redis least. */
const VICTIMS: readonly Part[] = ['worker', 'worker', 'worker', 'worker', 'worker', 'worker', 'api', 'api', 'redis'];

/** The shard that is lost for longer than a restart takes, the beginning of its loss, and its length, as shares of the period. */
const LOSS = { shard: 1, at: 0.4, length: 0.2, maxMs: 60_000 } as const;

/** Generates a random plan. The same options always give the same plan. */
export function planChaos(options: ChaosOptions): { tasks: PlannedTask[]; kills: PlannedKill[] } {
  const { seed, tasks, minutes, redis = 'single' } = options;
  const parts = { ...PARTS, redis: redis === 'shards' ? 3 : 1 };
  const random = seededRandom(seed);
  const busyMs = minutes * 60_000 * BUSY_SHARE;
  const plannedTasks = Array.from({ length: tasks }, (_, i): PlannedTask => {
    const directive = random.next() < 0.5 ? '' : random.pick([...FAULT_DIRECTIVES, ...SLOW_DIRECTIVES]);
    return {
      atMs: Math.floor(((i + random.next()) / tasks) * busyMs),
      protocol: Math.floor(random.next() * PROTOCOLS),
      kind: random.pick(VENDOR_KINDS),
      directive,
      prompt: `chaos ${seed} video ${i} ${directive}`,
      idempotencyKey: `chaos-${seed}-${i}`,
    };
  });

  const count = Math.max(VICTIMS.length / 3, Math.round(busyMs / KILL_EVERY_MS));
  const kills = Array.from({ length: count }, (_, i): PlannedKill => {
    // The first kills cover each kind of process, so that even a short run kills every kind at least once.
    const part = (['worker', 'api', 'redis'] as const)[i] ?? random.pick(VICTIMS);
    return {
      atMs: Math.floor(((i + random.next()) / count) * busyMs),
      part,
      index: Math.floor(random.next() * parts[part]),
      awayMs: Math.floor(random.next() * MAX_AWAY_MS),
    };
  });
  if (redis === 'shards') {
    const awayMs = Math.min(LOSS.maxMs, Math.floor(busyMs * LOSS.length));
    kills.push({ atMs: Math.floor(busyMs * LOSS.at), part: 'redis', index: LOSS.shard, awayMs });
  }
  return { tasks: plannedTasks, kills: kills.toSorted((one, other) => one.atMs - other.atMs) };
}

import { FAULT_DIRECTIVES } from '../media/vendor-endings.ts';
import { VENDOR_KINDS, type VendorKind } from '../media/vendor-kinds.ts';
import { seededRandom } from './seeded-random.ts';

export interface ChaosOptions {
  seed: number;
  tasks: number;
  /** Time in which tasks are created and processes are killed; the run then waits for open tasks. */
  minutes: number;
  /** The setting `submit_unknown_ms`; 150,000 by default. */
  unknownMs?: number;
}

/** Number of processes of each part. */
export const PARTS = { worker: 3, api: 2, redis: 1 } as const;
export type Part = keyof typeof PARTS;

export interface PlannedTask {
  /** Milliseconds from the start. */
  atMs: number;
  /** Index of the client protocol. */
  protocol: number;
  kind: VendorKind;
  /** The sandbox directive that causes a fault; empty: no fault. */
  directive: string;
  prompt: string;
  idempotencyKey: string;
}

export interface PlannedKill {
  atMs: number;
  part: Part;
  /** Index of the process. */
  index: number;
  /** Delay of the restart, as by a supervisor. */
  awayMs: number;
}

/** Sandbox directives that cause delays. */
const SLOW_DIRECTIVES = ['[slow:3]', '[late-reply:1]', '[late-reply:8]'];
const PROTOCOLS = 4;
/** The last tasks need the rest of the time. */
const BUSY_SHARE = 0.9;
const KILL_EVERY_MS = 8_000;
const MAX_AWAY_MS = 2_000;
/** Workers are killed most often, Redis least. */
const VICTIMS: readonly Part[] = ['worker', 'worker', 'worker', 'worker', 'worker', 'worker', 'api', 'api', 'redis'];

/** The same options give the same plan. */
export function planChaos({ seed, tasks, minutes }: ChaosOptions): { tasks: PlannedTask[]; kills: PlannedKill[] } {
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
    // Each part is killed at least once, even in a short run.
    const part = (['worker', 'api', 'redis'] as const)[i] ?? random.pick(VICTIMS);
    return {
      atMs: Math.floor(((i + random.next()) / count) * busyMs),
      part,
      index: Math.floor(random.next() * PARTS[part]),
      awayMs: Math.floor(random.next() * MAX_AWAY_MS),
    };
  });
  return { tasks: plannedTasks, kills };
}

import { FAULT_WORDS } from '../media/vendor-endings.ts';
import { VENDOR_KINDS, type VendorKind } from '../media/vendor-kinds.ts';
import { seededRandom } from './seeded-random.ts';

export interface ChaosOptions {
  seed: number;
  tasks: number;
  /** How long tasks are made and processes killed; then what is open is waited for. */
  minutes: number;
  /** How long a lost submission is looked for, milliseconds. Default: 150,000. */
  unknownMs?: number;
}

/** The parts that are killed, and their number. */
export const PARTS = { worker: 3, api: 2, redis: 1 } as const;
/** The name of a {@link PARTS part}. */
export type Part = keyof typeof PARTS;

/** A task to be made at a time. */
export interface PlannedTask {
  /** Milliseconds from the start. */
  atMs: number;
  /** Which of the client protocols makes it, from 0. */
  protocol: number;
  kind: VendorKind;
  /** The vendor's fault directive; empty for none. */
  word: string;
  prompt: string;
  idempotencyKey: string;
}

/** A process to be killed at a time. */
export interface PlannedKill {
  atMs: number;
  part: Part;
  /** Which of the part's processes, from 0. */
  index: number;
  /** How long it stays away before it is started again, as by a supervisor. */
  awayMs: number;
}

/** How a vendor is slow, beside the ways in which it fails. */
const SLOW_WORDS = ['[slow:3]', '[late-reply:1]', '[late-reply:8]'];
const PROTOCOLS = 4;
/** The rest of the time is left to tasks that were made last. */
const BUSY_SHARE = 0.9;
const KILL_EVERY_MS = 8_000;
const MAX_AWAY_MS = 2_000;
/** Workers die most often, Redis least. */
const VICTIMS: readonly Part[] = ['worker', 'worker', 'worker', 'worker', 'worker', 'worker', 'api', 'api', 'redis'];

/** Draws everything that the run does on purpose. The same options give the same plan. */
export function planChaos({ seed, tasks, minutes }: ChaosOptions): { tasks: PlannedTask[]; kills: PlannedKill[] } {
  const random = seededRandom(seed);
  const busyMs = minutes * 60_000 * BUSY_SHARE;
  const plannedTasks = Array.from({ length: tasks }, (_, i): PlannedTask => {
    const word = random.next() < 0.5 ? '' : random.pick([...FAULT_WORDS, ...SLOW_WORDS]);
    return {
      atMs: Math.floor(((i + random.next()) / tasks) * busyMs),
      protocol: Math.floor(random.next() * PROTOCOLS),
      kind: random.pick(VENDOR_KINDS),
      word,
      prompt: `chaos ${seed} film ${i} ${word}`,
      idempotencyKey: `chaos-${seed}-${i}`,
    };
  });

  const count = Math.max(VICTIMS.length / 3, Math.round(busyMs / KILL_EVERY_MS));
  const kills = Array.from({ length: count }, (_, i): PlannedKill => {
    // However short the run, each part dies at least once.
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

import { type Stack, type StackOptions, startStack } from '../stack.ts';
import { mediaConfig } from './vendor-kinds.ts';

/** Starts a stack with an upstream of every kind that makes media, all of them at one sandbox. */
export function startMediaStack({
  tasks,
  kinds,
  ...options
}: Omit<StackOptions, 'configFor'> & {
  tasks?: Record<string, unknown>;
  /** Fields of some kinds' accounts. */
  kinds?: Record<string, Record<string, unknown>>;
} = {}): Promise<Stack> {
  return startStack({
    ...options,
    config: { timeouts: FAST_TIMEOUTS, tasks: { ...FAST_TASKS, ...tasks }, ...options.config },
    configFor: (sandboxUrl) => mediaConfig(sandboxUrl, kinds),
  });
}

/** The stack's own, and those that media wait by. */
export const FAST_TIMEOUTS = {
  submit_ms: 4_000,
  poll_ms: 1_000,
  image_ms: 5_000,
  image_wait_ms: 20_000,
  look_up_ms: 1_500,
  download_idle_ms: 2_000,
  shutdown_ms: 3_000,
};

/** The stack's own, in which a lost submission is looked for long enough to be found. */
const FAST_TASKS = {
  lock_ms: 1_500,
  stall_check_ms: 500,
  sweep_ms: 300,
  overdue_ms: 1_000,
  submit_unknown_ms: 20_000,
  retry_min_ms: 100,
  retry_max_ms: 1_000,
};

import { FAST_TASKS, type Stack, type StackOptions, startStack } from '../stack.ts';
import { mediaConfig } from './vendor-kinds.ts';

/** Starts a stack with upstreams of all media kinds. One sandbox simulates all of them. */
export function startMediaStack({
  tasks,
  kinds,
  price,
  ...options
}: Omit<StackOptions, 'configFor'> & {
  tasks?: Record<string, unknown>;
  /** Additional upstream settings, keyed by kind. */
  kinds?: Record<string, Record<string, unknown>>;
  /** The price of every model. */
  price?: Record<string, number>;
} = {}): Promise<Stack> {
  return startStack({
    ...options,
    config: { timeouts: FAST_TIMEOUTS, tasks: { ...FAST_TASKS, ...tasks }, ...options.config },
    configFor: (sandboxUrl) => {
      const { upstreams, models } = mediaConfig(sandboxUrl, kinds);
      return { upstreams, models: models.map((model) => Object.assign({}, model, price && { price })) };
    },
  });
}

export const FAST_TIMEOUTS = {
  submit_ms: 4_000,
  poll_ms: 1_000,
  image_ms: 5_000,
  image_wait_ms: 20_000,
  look_up_ms: 1_500,
  download_idle_ms: 2_000,
  shutdown_ms: 3_000,
};

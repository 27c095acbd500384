import type { Redis } from 'ioredis';
import { withStoreErrors } from './store-errors.ts';
import type { StoredResponse } from './stored-response.ts';
import type { TextKeys } from '../../generation/text-keys.ts';

export interface RunningResponse {
  /** Aborts after a client has canceled or removed the response, with the next heartbeat. */
  canceled: AbortSignal;
  /**
   * Stores the final response, or its cancellation; a removed one stays removed.
   * @throws GatewayError `store_unavailable`; the call may be repeated
   */
  finish(record: StoredResponse): Promise<void>;
}

interface Heart extends RunningResponse {
  beat(): Promise<void>;
  stop(): void;
}

interface HeartSettings {
  heartbeatMs: number;
  finish: (record: StoredResponse) => Promise<void>;
}

/** Missing heartbeats after which a process counts as dead. */
const BEATS = 3;

/** The caller sends the first heartbeat. */
export function runResponse(
  redis: Redis,
  keys: TextKeys,
  { owner, id }: Pick<StoredResponse, 'owner' | 'id'>,
  { heartbeatMs, finish }: HeartSettings,
): Heart {
  const canceled = new AbortController();
  const timer = setInterval(beatQuietly, heartbeatMs);
  timer.unref();
  // The heartbeat may have expired during an outage.
  redis.on('ready', beatQuietly);

  async function beat(): Promise<void> {
    const [, flag] = await Promise.all([
      redis.set(keys.alive(owner, id), '1', 'PX', BEATS * heartbeatMs),
      redis.exists(keys.canceled(owner, id)),
    ]);
    if (flag === 1) canceled.abort();
  }

  function beatQuietly(): void {
    // The connection logs outages; a later heartbeat may succeed.
    beat().catch(() => undefined);
  }

  function stop(): void {
    clearInterval(timer);
    redis.off('ready', beatQuietly);
  }

  return {
    canceled: canceled.signal,
    beat,
    stop,
    finish: (record) =>
      withStoreErrors(async () => {
        const flag = await redis.exists(keys.canceled(owner, id));
        await finish(flag === 1 ? { ...record, status: 'cancelled' } : record);
        stop();
      }),
  };
}

import type { Redis } from 'ioredis';
import { withStoreErrors } from './store-errors.ts';
import type { StoredResponse } from './stored-response.ts';
import type { TextKeys } from '../../generation/text-keys.ts';

/** A response that this process generates without a waiting client. */
export interface RunningResponse {
  /** Aborts after a client has canceled or removed the response, with the next heartbeat. */
  canceled: AbortSignal;
  /**
   * Ends the heartbeat and stores the final response, or its cancellation. A removed response stays removed.
   * @throws GatewayError `store_unavailable`; the call may be repeated
   */
  finish(record: StoredResponse): Promise<void>;
}

interface Heart extends RunningResponse {
  /** Sends a heartbeat and checks for a cancellation. */
  beat(): Promise<void>;
  /** Ends the heartbeat without a result. */
  stop(): void;
}

interface HeartSettings {
  heartbeatMs: number;
  /** Writes the final record. */
  finish: (record: StoredResponse) => Promise<void>;
}

/** Missing heartbeats after which a process counts as dead. */
const BEATS = 3;

/** Starts the heartbeat of an open response; the caller sends the first one. */
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

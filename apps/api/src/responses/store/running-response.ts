import type { Redis } from 'ioredis';
import { withStoreErrors } from './store-errors.ts';
import type { StoredResponse } from './stored-response.ts';
import type { TextKeys } from '../../generation/text-keys.ts';

/** An answer that this process makes with no client waiting. */
export interface RunningResponse {
  /** Aborts when a client has canceled or removed the answer; learned with the next heartbeat. */
  canceled: AbortSignal;
  /**
   * Ends the heartbeat and keeps the final answer, as canceled when it was canceled. What was removed meanwhile stays
   * removed. @throws GatewayError `store_unavailable`; may then be called again
   */
  finish(record: StoredResponse): Promise<void>;
}

interface Heart extends RunningResponse {
  /** Says that the process lives, and looks whether it still should. */
  beat(): Promise<void>;
  /** Ends the heartbeat without a result. */
  stop(): void;
}

interface HeartSettings {
  heartbeatMs: number;
  /** Writes the final record. */
  finish: (record: StoredResponse) => Promise<void>;
}

/** Beats missing in a row after which a process is taken for dead. */
const BEATS = 3;

/** Keeps an open answer alive from now on; the caller makes the first beat. */
export function runResponse(
  redis: Redis,
  keys: TextKeys,
  { owner, id }: Pick<StoredResponse, 'owner' | 'id'>,
  { heartbeatMs, finish }: HeartSettings,
): Heart {
  const canceled = new AbortController();
  const timer = setInterval(beatQuietly, heartbeatMs);
  // The answer shall not keep a process from ending.
  timer.unref();
  // After an outage the last beat is long past: nobody shall find the answer dead.
  redis.on('ready', beatQuietly);

  async function beat(): Promise<void> {
    const [, flag] = await Promise.all([
      redis.set(keys.alive(owner, id), '1', 'PX', BEATS * heartbeatMs),
      redis.exists(keys.canceled(owner, id)),
    ]);
    if (flag === 1) canceled.abort();
  }

  function beatQuietly(): void {
    // The connection logs that Redis is away; the next beat may find it back.
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

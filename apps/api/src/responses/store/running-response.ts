import type { Redis } from 'ioredis';
import { withStoreErrors } from './store-errors.ts';
import type { StoredResponse } from './stored-response.ts';
import type { TextKeys } from '../../generation/reasoning/text-keys.ts';

export interface RunningResponse {
  /** Aborts on the first heartbeat after a client has canceled or removed the response. */
  canceled: AbortSignal;
  /**
   * Stores the final response, or its cancellation. A removed response stays removed.
   * @throws GatewayError `store_unavailable`; the call can be repeated
   */
  finish(record: StoredResponse): Promise<void>;
}

interface Heartbeat extends RunningResponse {
  sendHeartbeat(): Promise<void>;
  stop(): void;
}

interface HeartbeatSettings {
  heartbeatMs: number;
  finish: (record: StoredResponse) => Promise<void>;
}

/** A process counts as dead after this many missing heartbeats. */
const MAX_MISSED_HEARTBEATS = 3;

/** Starts the heartbeats of a response. The caller sends the first one. */
export function runResponse(
  redis: Redis,
  keys: TextKeys,
  { owner, id }: Pick<StoredResponse, 'owner' | 'id'>,
  { heartbeatMs, finish }: HeartbeatSettings,
): Heartbeat {
  const canceled = new AbortController();
  const timer = setInterval(sendHeartbeatQuietly, heartbeatMs);
  timer.unref();
  // The heartbeat may have expired during a Redis outage.
  redis.on('ready', sendHeartbeatQuietly);

  async function sendHeartbeat(): Promise<void> {
    const [, flag] = await Promise.all([
      redis.set(keys.alive(owner, id), '1', 'PX', MAX_MISSED_HEARTBEATS * heartbeatMs),
      redis.exists(keys.canceled(owner, id)),
    ]);
    if (flag === 1) canceled.abort();
  }

  function sendHeartbeatQuietly(): void {
    // The connection logs outages, and a later heartbeat may succeed.
    sendHeartbeat().catch(() => undefined);
  }

  function stop(): void {
    clearInterval(timer);
    redis.off('ready', sendHeartbeatQuietly);
  }

  return {
    canceled: canceled.signal,
    sendHeartbeat,
    stop,
    finish: (record) =>
      withStoreErrors(async () => {
        const flag = await redis.exists(keys.canceled(owner, id));
        await finish(flag === 1 ? { ...record, status: 'cancelled' } : record);
        stop();
      }),
  };
}

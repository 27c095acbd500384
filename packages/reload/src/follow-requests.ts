import type { ConfigStore, ProcessState } from './config-store.ts';

export interface FollowRequestsOptions {
  store: Pick<ConfigStore, 'poll' | 'publish'>;
  /** Handles a new request to reload. */
  onRequest: (request: number) => Promise<unknown>;
  /** Called with the stamp of the stored configuration when it differs from the last one. */
  onStamp: (stamp: string) => Promise<unknown>;
  state: () => ProcessState;
  /** Sets the number of the last request before this process started. */
  setRequest: (request: number) => void;
}

const POLL_MS = 500;
const PUBLISH_MS = 2_000;

/**
 * Polls Redis for requests to reload, and reports the state of the process. A poll costs one round trip, needs no
 * connection of its own, and finds changes also after an outage.
 */
export function followRequests(options: FollowRequestsOptions): { close(): void } {
  const { store, onRequest, onStamp, state, setRequest } = options;
  let handled: number | undefined;
  let stamp: string | undefined;
  let publishedAt = -Infinity;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;

  async function round(): Promise<void> {
    const last = await store.poll();
    if (handled === undefined) setRequest(last.request);
    const isNew = handled !== undefined && last.request !== handled;
    handled = last.request;
    if (isNew) await onRequest(last.request);
    else if (last.stamp !== undefined && last.stamp !== stamp) await onStamp(last.stamp);
    stamp = last.stamp;
    if (performance.now() - publishedAt < PUBLISH_MS || isClosed) return;
    await store.publish(state());
    publishedAt = performance.now();
  }

  async function next(): Promise<void> {
    await round().catch(() => undefined); // The connection has already logged the outage.
    if (!isClosed) timer = setTimeout(() => void next(), POLL_MS).unref();
  }

  void next();
  return {
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}

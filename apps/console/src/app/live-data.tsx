import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, type ReactNode, useEffect, useState } from 'react';
import { apiUrl } from '../api/client.ts';
import { LiveContext } from './use-live.ts';

/** A change that `GET /console/api/events` reports. */
interface Change {
  /** Number of new requests. */
  requests: number;
  /** Ids of tasks that changed. */
  tasks: string[];
}

/** Lists follow at once. Sums need longer queries, so they are read more rarely. */
const LIST_MS = 1_000;
const SUM_MS = 5_000;
/** A browser reconnects after a lost connection, but not after an error response. */
const REOPEN_MS = 10_000;

/** Reads queries again when the data behind them has changed. Pauses in hidden tabs. */
export function LiveData({ children }: { children: ReactNode }): ReactElement {
  const client = useQueryClient();
  const [isLive, setLive] = useState(false);
  useEffect(() => {
    const lists = invalidator(client, LIST_MS);
    const sums = invalidator(client, SUM_MS);
    const follow = ({ requests, tasks }: Change): void => {
      if (requests > 0) {
        lists.add(['requests']);
        for (const name of ['histogram', 'usage', 'latency']) sums.add([name]);
      }
      if (tasks.length === 0) return;
      lists.add(['tasks']);
      for (const id of tasks) lists.add(['task', id]);
      sums.add(['overview']);
    };
    const close = openStream(follow, (isOpen) => {
      setLive(isOpen);
      // Changes before the stream was open are unknown.
      if (isOpen) for (const name of ['requests', 'tasks', 'task']) lists.add([name]);
    });
    return () => {
      close();
      lists.stop();
      sums.stop();
    };
  }, [client]);
  return <LiveContext value={isLive}>{children}</LiveContext>;
}

/** Keeps a stream open while the tab is visible. @returns a function that closes it */
function openStream(onChange: (change: Change) => void, onState: (isOpen: boolean) => void): () => void {
  let source: EventSource | undefined;
  let timer: number | undefined;
  const close = (): void => {
    window.clearTimeout(timer);
    source?.close();
    source = undefined;
    onState(false);
  };
  const open = (): void => {
    close();
    if (document.visibilityState !== 'visible') return;
    source = new EventSource(apiUrl('/console/api/events'));
    source.addEventListener('open', () => onState(true));
    // The cast is safe because the endpoint sends changes of this form.
    source.addEventListener('change', ({ data }) => onChange(JSON.parse(String(data)) as Change));
    source.addEventListener('error', () => {
      onState(false);
      if (source?.readyState === EventSource.CLOSED) timer = window.setTimeout(open, REOPEN_MS);
    });
  };
  open();
  document.addEventListener('visibilitychange', open);
  return () => {
    document.removeEventListener('visibilitychange', open);
    close();
  };
}

/** Collects keys of queries, and reads the queries again at most once in `intervalMs`. */
function invalidator(client: QueryClient, intervalMs: number): { add: (key: QueryKey) => void; stop: () => void } {
  const keys = new Map<string, QueryKey>();
  let timer: number | undefined;
  let readyAt = 0;
  const flush = (): void => {
    timer = undefined;
    readyAt = Date.now() + intervalMs;
    // A request in flight may have read older data, but canceling it would starve the list under load.
    for (const queryKey of keys.values()) void client.invalidateQueries({ queryKey }, { cancelRefetch: false });
    keys.clear();
  };
  return {
    add(key) {
      keys.set(JSON.stringify(key), key);
      timer ??= window.setTimeout(flush, Math.max(0, readyAt - Date.now()));
    },
    stop: () => window.clearTimeout(timer),
  };
}

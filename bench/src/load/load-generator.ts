import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '../measure/statistics.ts';
import { announceReady, respondToRequests } from '../subjects/requests.ts';
import { encodePost, HttpConnection } from './http-client.ts';

/** One burst of requests to one URL. */
export interface Burst {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** Number of connections. Each sends its next request when the response of the last one is complete. */
  concurrency: number;
  /** The burst ends after this number of requests, or after this time. */
  count?: number;
  ms?: number;
  /** For streams: a text that each event contains once, and the number of events that a complete stream has. */
  events?: { marker: string; count: number };
  /** Time over which the first requests are spread. */
  rampMs?: number;
}

export interface BurstResult {
  /** Number of complete, correct responses. */
  completed: number;
  /** Number of responses with another status, with missing events, or with a broken connection. */
  errors: number;
  ms: number;
  p50Ms: number;
  p99Ms: number;
}

async function run(burst: Burst): Promise<BurstResult> {
  const request = encodePost(burst.url, burst.headers, burst.body);
  const port = Number(new URL(burst.url).port);
  const startedAt = performance.now();
  const delays: number[] = [];
  let sent = 0;
  let errors = 0;
  const more = () =>
    sent < (burst.count ?? Infinity) && performance.now() - startedAt < (burst.ms ?? Infinity) && errors < 100;

  const runConnection = async (index: number): Promise<void> => {
    await sleep(((burst.rampMs ?? 0) * index) / burst.concurrency);
    const connection = new HttpConnection(port);
    while (more()) {
      sent += 1;
      const sentAt = performance.now();
      if (await exchange(connection, request, burst.events)) delays.push(performance.now() - sentAt);
      else errors += 1;
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: burst.concurrency }, (_, index) => runConnection(index)));
  return {
    completed: delays.length,
    errors,
    ms: performance.now() - startedAt,
    p50Ms: percentile(delays, 0.5),
    p99Ms: percentile(delays, 0.99),
  };
}

/** Returns whether the response was complete and correct. */
async function exchange(connection: HttpConnection, request: Buffer, events: Burst['events']): Promise<boolean> {
  const marker = Buffer.from(events?.marker ?? '');
  let seen = 0;
  let tail: Buffer = Buffer.alloc(0);
  const data = (bytes: Buffer): void => {
    const text = tail.byteLength > 0 ? Buffer.concat([tail, bytes]) : bytes;
    for (let at = text.indexOf(marker); at >= 0; at = text.indexOf(marker, at + 1)) seen += 1;
    // A marker may be split between two reads.
    tail = Buffer.from(text.subarray(Math.max(0, text.byteLength - marker.byteLength + 1)));
  };
  return new Promise((resolve) => {
    const end = (status: number) => resolve(status === 200 && (!events || seen === events.count));
    connection.send(request, events ? { data, end } : { end });
  });
}

respondToRequests({
  // The cast is safe because `ContenderStage` sends this object.
  run: (burst) => run(burst as Burst),
});
announceReady();

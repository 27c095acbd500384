import type { PriceLine, PriceSource } from '@sluice/prices';

/**
 * A record of one request or task, written once at its end. It contains no prompt and no output. Redis, the store, and
 * the reports all use this shape; the admin API shows it in snake case.
 */
export interface LedgerEntry {
  /** Unique. A repeated write with the same id has no effect. */
  id: string;
  type: 'request' | 'task';
  /** When the request or task ended, in Unix milliseconds. */
  at: number;
  requestId?: string;
  taskId?: string;
  key: string;
  /** The end user that the client names. A hash unless the configuration says otherwise. */
  user?: string;
  labels?: Record<string, string>;
  /** The route's pattern with its method, e.g. `POST /v1/chat/completions`. */
  endpoint: string;
  /** The client's protocol. */
  protocol?: string;
  /** The model that the client requested. */
  model?: string;
  upstream?: string;
  upstreamModel?: string;
  /** The credential of the upstream's pool. */
  credential?: string;
  attempts?: LedgerAttempt[];
  isRelayed?: boolean;
  /** Names of the request's fields that the upstream did not receive as sent, as in the header `x-sluice-dropped`. */
  dropped?: string[];
  /** The id of the exported trace. */
  traceId?: string;
  /** The HTTP status, or the state of a task. */
  status: number | string;
  errorCode?: string;
  durationMs: number;
  /** Time to the first event of a stream, or to the response. */
  firstEventMs?: number;
  /** The time until the first call of an upstream; for a task, until its submission. */
  queueMs?: number;
  /** For a task: the time from its submission to its end. */
  runMs?: number;
  usage?: LedgerUsage;
  /** In nano-dollars. If omitted, the price is unknown, or the request created a task, whose entry has the cost. */
  costNanos?: number;
  lines?: PriceLine[];
  priceSource?: PriceSource;
}

export interface LedgerAttempt {
  upstream: string;
  credential?: string;
  upstreamModel?: string;
  result: string;
  ms?: number;
  /** The estimated cost of a hedged call, in nano-dollars. It is not part of the entry's cost. */
  costNanos?: number;
}

/** Everything that can have a price. `input` includes cached tokens and cache writes; `output` includes reasoning. */
export interface LedgerUsage {
  inputTokens?: number;
  cachedTokens?: number;
  cacheWriteTokens?: number;
  /** The part of the cache writes that live for an hour. */
  cacheWrite1hTokens?: number;
  outputTokens?: number;
  reasoningTokens?: number;
  audioInputTokens?: number;
  audioOutputTokens?: number;
  imageInputTokens?: number;
  imageOutputTokens?: number;
  /** The tier that the vendor reports, or `batch` in a batch that the vendor ran. Its factor is part of the cost. */
  serviceTier?: string;
  /** Seconds of audio input, to the millisecond. */
  audioSeconds?: number;
  characters?: number;
  searches?: number;
  images?: number;
  imageSize?: string;
  imageQuality?: string;
  videoSeconds?: number;
  resolution?: string;
  hasAudio?: boolean;
}

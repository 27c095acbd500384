import type { Usage } from '../text/generation.ts';
/** Statuses of batches, as in OpenAI's API. The last four are final. */
export const BATCH_STATUSES = [
  'validating',
  'in_progress',
  'finalizing',
  'cancelling',
  'completed',
  'failed',
  'expired',
  'cancelled',
] as const;

export type BatchStatus = (typeof BATCH_STATUSES)[number];

/** The protocol of the client that created a batch. */
export type BatchProtocol = 'openai' | 'anthropic' | 'gemini';

/** The lines of a batch, counted exactly once each. */
export interface BatchCounts {
  total: number;
  /** Lines with a successful response. They are in the output file. */
  completed: number;
  /** Lines with an error response, or whose outcome is unknown. They and those below are in the error file. */
  failed: number;
  /** Lines that were not run before the batch expired. */
  expired: number;
  /** Lines that were not run because the client canceled the batch. */
  cancelled: number;
}

/** Why a batch cannot run. */
export interface BatchInputError {
  code: string;
  message: string;
  /** The number of the line, from 1. Absent if the error concerns the whole file. */
  line?: number;
  /** The field of the line. */
  param?: string;
}

/** The choices of a client at creation. */
export interface BatchParams {
  protocol: BatchProtocol;
  /** The path that all lines must have as their `url`. */
  endpoint: string;
  inputFileId: string;
  /** The batch expires after this time. Its results so far are then its output. */
  windowMs: number;
  metadata: Readonly<Record<string, string>>;
  displayName?: string;
  /** A batch with a higher number runs before others of all keys. Default: 0. */
  priority?: number;
  /** Whether a line whose outcome a crash left unknown is sent again, although it may be paid for twice. */
  retryUnknown?: boolean;
  /** The batch fails if the estimate of its cost is higher. */
  maxCostUsd?: number;
  /** The lifetime of the output and error files, at most the retention of files. */
  outputLifetimeMs?: number;
  /** Labels of the requests in the ledger. */
  labels?: Readonly<Record<string, string>>;
  /** Headers that each line is sent with, in lower case (e.g. `anthropic-beta`). */
  headers?: Readonly<Record<string, string>>;
  /** Whether the input file consists of requests in the body of the client's request. It is deleted with the batch. */
  ownsInput?: boolean;
  /** Whether Google's format returns the results in the batch itself. */
  inlineResults?: boolean;
}

/** Tokens of the requests with a response. */
export type BatchUsage = Required<Pick<Usage, 'inputTokens' | 'cachedTokens' | 'outputTokens' | 'reasoningTokens'>>;

/** A batch of requests. All protocols show the same batches. Times are in Unix milliseconds. */
export interface Batch extends Omit<BatchParams, 'priority' | 'retryUnknown' | 'ownsInput'> {
  id: string;
  status: BatchStatus;
  paused: boolean;
  priority: number;
  retryUnknown: boolean;
  ownsInput: boolean;
  /** The model of all lines, known after validation. Absent if the lines have several. */
  model?: string;
  /** The upstream whose vendor runs the batch. Absent if workers send its lines. */
  upstream?: string;
  /** Absent before the batch has ended, and if no line succeeded. */
  outputFileId?: string;
  /** Absent before the batch has ended, and if no line failed. */
  errorFileId?: string;
  counts: BatchCounts;
  /** So far. Absent if no response had a usage. */
  usage?: BatchUsage;
  /** So far, in nano-dollars, of the responses with a known price. The cost of images and videos is in their tasks. */
  costNanos: number;
  /** Whether a response has a cost, but its price is unknown. */
  unpriced?: boolean;
  /** The lines of a batch that failed in its validation, as far as they were read. */
  refusedLines?: number;
  /** Set if the status is `failed`. */
  errors: BatchInputError[];
  /** The estimate of its cost, known after validation. Absent if a model has no price. */
  estimatedCostUsd?: number;
  createdAt: number;
  /** When the batch expires, if it has not ended. */
  expiresAt: number;
  inProgressAt?: number;
  finalizingAt?: number;
  completedAt?: number;
  failedAt?: number;
  expiredAt?: number;
  cancellingAt?: number;
  cancelledAt?: number;
}

const FINAL: ReadonlySet<BatchStatus> = new Set(['completed', 'failed', 'expired', 'cancelled']);

export function isFinalBatch({ status }: Pick<Batch, 'status'>): boolean {
  return FINAL.has(status);
}

const DIGITS = '[0-9a-hjkmnp-tv-z]{25}';
export const BATCH_ID = new RegExp(`^batch_${DIGITS}$`);
const RESULT_ID = new RegExp(`^batch_req_${DIGITS}([0-9]+)$`);

export function isBatchId(text: string): boolean {
  return BATCH_ID.test(text);
}

/** Returns the id of a line's result, which is also the request's id. @param line from 1 */
export function batchResultId(batchId: string, line: number): string {
  return `batch_req_${batchId.slice('batch_'.length)}${line}`;
}

/** Returns the range of the ids of all lines of a batch, compared by bytes. `end` is exclusive. */
export function batchResultIds(batchId: string): { first: string; end: string } {
  const prefix = `batch_req_${batchId.slice('batch_'.length)}`;
  return { first: `${prefix}0`, end: `${prefix}:` }; // A colon follows the digits.
}

/** Returns the number of the line in the input file that a result belongs to. */
export function lineOfBatchResult(id: string): number | undefined {
  const [, line] = RESULT_ID.exec(id) ?? [];
  return line === undefined ? undefined : Number(line);
}

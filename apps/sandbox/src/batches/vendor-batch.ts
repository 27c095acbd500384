/** A line of a batch, as a request to one of the sandbox's own endpoints. */
export interface BatchLine {
  /** The position in the batch, starting at 0. */
  index: number;
  /** The client's id of the line. */
  key: string;
  path: string;
  headers: Readonly<Record<string, string>>;
  body: unknown;
}

export type LineOutcome =
  | { type: 'response'; status: number; body: unknown }
  /** The batch ended before the line was served. */
  | { type: 'canceled' | 'expired' };

/** Whether the endpoint returned a result. A response that is not JSON is a failure. */
export function isSucceeded(outcome: LineOutcome): boolean {
  return outcome.type === 'response' && outcome.status < 300 && outcome.body !== undefined;
}

type BatchStatus = 'validating' | 'running' | 'canceling' | 'completed' | 'failed' | 'expired' | 'canceled';

/** A batch of any vendor. Times are in Unix milliseconds. */
export interface VendorBatch<Details> {
  readonly id: string;
  readonly wire: string;
  /** The client's `x-client-request-id`, or the key of the first line. Repeated creations have the same value. */
  readonly task: string;
  /** The first line, which may contain directives. */
  readonly text: string;
  readonly createdAt: number;
  status: BatchStatus;
  startedAt?: number;
  cancelingAt?: number;
  endedAt?: number;
  /** `unserved` lines were canceled or expired. */
  counts: { total: number; succeeded: number; failed: number; unserved: number };
  /** The fields that only one vendor has. */
  details: Details;
  readonly canceled: AbortController;
}

export function isEnded({ endedAt }: Pick<VendorBatch<unknown>, 'endedAt'>): boolean {
  return endedAt !== undefined;
}

/** How a vendor reads the lines of a batch and writes their results. */
export interface BatchWork {
  /** Whether the vendor's batches cannot fail. `[batch:fail]` then has no effect. */
  neverFails?: boolean;
  /** Checks the lines. Returns their number, or undefined if the batch fails. */
  prepare(): Promise<number | undefined>;
  lines(): AsyncIterable<BatchLine>;
  record(line: BatchLine, outcome: LineOutcome): Promise<void>;
  /** Publishes the results. Called once, also after a batch that was canceled, failed, or expired. */
  finish(): Promise<void>;
}

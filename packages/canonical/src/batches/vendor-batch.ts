/** Requests in the format of a vendor, which are sent without being in memory. */
export interface VendorBatchContent {
  bytes: number;
  /** Reads the content from the start. Can be called several times. It is opened when the first bytes are read. */
  read(this: void): AsyncIterable<Uint8Array>;
}

/** A batch that is or was submitted to a vendor. */
export interface VendorBatchParams {
  /** The id of the batch. Vendors with metadata or names of batches store it, so that a lost batch is found. */
  batchId: string;
  /** The model's name at the vendor. */
  model: string;
  requests: number;
  /** The result of {@link VendorBatchCapability.upload}. Empty if the submission contains the requests. */
  uploaded: string;
  content: VendorBatchContent;
  /** Headers with which each request of the batch is sent (e.g. `anthropic-beta`). */
  headers: Readonly<Record<string, string>>;
}

/** The results of a batch do not exist any more, or are too large. A retry does not change it. */
export class VendorResultsGoneError extends Error {
  constructor(reason: string) {
    super(`the results of a batch are not available: ${reason}`);
    this.name = 'VendorResultsGoneError';
  }
}

/** The batch whose submission was lost. */
export interface LostVendorBatch extends Pick<VendorBatchParams, 'batchId'> {
  /** Unix milliseconds. */
  submittedAt: number;
}

/** Nothing was created, for a reason that a retry does not change. */
interface Refused {
  kind: 'refused';
  /** The vendor's code or status, for logs. */
  reason: string;
}

/** Nothing was created, and a retry may succeed. */
interface Postponed {
  kind: 'postponed';
  reason: string;
  retryAfterMs?: number | undefined;
}

/** The vendor may have done it. */
interface Unclear {
  kind: 'unclear';
  reason: string;
}

export type VendorBatchUpload = { kind: 'uploaded'; name: string } | Refused | Postponed;
export type VendorSubmission = { kind: 'accepted'; id: string } | Refused | Postponed | Unclear;
/** `missing` means that the vendor certainly does not list the batch (yet). */
export type VendorLookup = { kind: 'found'; id: string } | { kind: 'missing' } | Unclear;

/** How a batch ended at its vendor. After an expiry or a cancellation, it has the results so far. */
export type VendorBatchEnd = 'completed' | 'expired' | 'cancelled';

export type VendorPoll =
  | { kind: 'running' }
  /** @property sources files for {@link VendorBatchCapability.openResults} */
  | { kind: 'ended'; end: VendorBatchEnd; sources: readonly string[] }
  /** The vendor ran no request of the batch. */
  | { kind: 'failed'; reason: string }
  | Unclear;

/** The result of a request, by its key. */
export type VendorResult =
  | { key: string; status: number; body: unknown }
  /** The vendor did not run the request. */
  | { key: string; code: 'batch_expired' | 'batch_cancelled' | 'request_failed' };

/**
 * The batches of a vendor account. Methods throw if there is no connection or no usable response, and the call can be
 * repeated; only {@link submit} reports every failure as an outcome.
 */
export interface VendorBatchCapability {
  maxRequests: number;
  /** Maximum bytes of the content. */
  maxBytes: number;
  /** The text before the first encoded request, between two of them, and after the last one. */
  framing: readonly [head: string, separator: string, tail: string];
  /** Encodes a request. @param key identifies its result. @param request JSON in the upstream's protocol */
  encode(key: string, request: string): string;
  /** Uploads the content, which costs nothing. Absent if the submission contains it. */
  upload?(params: Omit<VendorBatchParams, 'uploaded'>, signal: AbortSignal): Promise<VendorBatchUpload>;
  submit(params: VendorBatchParams, signal: AbortSignal): Promise<VendorSubmission>;
  /** Searches a batch whose submission was lost. `found` only if it certainly is this batch. */
  find(lost: LostVendorBatch, signal: AbortSignal): Promise<VendorLookup>;
  poll(id: string, signal: AbortSignal): Promise<VendorPoll>;
  /** Cancels a batch. It then ends with the results so far. @throws Error unless it was canceled or has ended */
  cancel(id: string, signal: AbortSignal): Promise<void>;
  /** Opens a file with one result in each line. @throws {VendorResultsGoneError} if it cannot be read later either */
  openResults(source: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
  /** Reads a line of the results. Undefined if it is none. */
  readResult(line: unknown): VendorResult | undefined;
}

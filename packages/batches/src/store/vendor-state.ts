import type { VendorBatchEnd } from '@sluice/canonical';
import type { FilePart } from '@sluice/files';

/** Content in the content store. */
export interface StoredContent {
  key: string;
  bytes: number;
}

/** The progress of a batch at its vendor. Each change is recorded before the next step. */
export interface VendorState {
  /** The vendor account, which stays the same. See `accountName`. */
  account: string;
  /** The model's name at the vendor. */
  model: string;
  /**
   * - `prepare`: nothing was submitted.
   * - `submitting`: the batch was perhaps submitted. It is looked up, and never submitted again.
   * - `submitted`: the vendor has accepted the batch.
   * - `ended`: the results are in the content store.
   */
  stage: 'prepare' | 'submitting' | 'submitted' | 'ended';
  /** The requests that were uploaded, so that a repeated submission does not upload them again. */
  uploaded?: { name: string; requests: number };
  /** Unix milliseconds of the submission. */
  submittedAt?: number;
  /** Unix milliseconds of the first lookup after which the vendor certainly did not list the batch. */
  missingSince?: number;
  /** The content of the input, which stays readable if the client deletes the file. */
  input?: readonly FilePart[];
  /** The vendor's id of the batch. */
  id?: string;
  /** Whether a cancellation was sent to the vendor. */
  isCancelled?: boolean;
  /** How it ended. After `lost`, the outcome of each request is unknown. */
  end?: VendorBatchEnd | 'lost';
  results?: StoredContent[];
}

/** After the batch has expired, its vendor has this time to end its own. */
const CLOSING_MS = 3_600_000;

/** Whether the results of a vendor's batch are given up. @param now Unix milliseconds */
export function isOverdue({ expiresAt }: { expiresAt: number }, now: number): boolean {
  return now > expiresAt + CLOSING_MS;
}

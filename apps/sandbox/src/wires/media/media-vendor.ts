import type { JobLedger } from '../../jobs/job-ledger.ts';
import type { Wire } from '../../jobs/wire.ts';
import type { MediaArchive } from '../../media/media-archive.ts';

/** What all wires of media share. */
export interface MediaVendor {
  ledger: JobLedger;
  archive: MediaArchive;
  /** The key that callers must send; also the secret with which they sign, on wires with signatures. */
  apiKey: string;
  /** The public half of a signing caller's key. */
  accessKey: string;
  /** How long a job renders unless its prompt says otherwise, in milliseconds. */
  renderMs: number;
  /** How long polls and look-ups do not find a new job, in milliseconds; absent: the wire's own lag. */
  visibleAfterMs: number | undefined;
  /** How many jobs an account may have running on a wire; absent: any number. */
  concurrency: Partial<Record<Wire, number>>;
  /** Unix milliseconds. */
  now: () => number;
  /** A fresh unguessable id. */
  newId: () => string;
}

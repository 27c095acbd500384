import type { JobLedger } from '../../jobs/job-ledger.ts';
import type { MediaArchive } from '../../media/media-archive.ts';

export interface MediaVendor {
  ledger: JobLedger;
  archive: MediaArchive;
  /** Also the secret of signing clients. */
  apiKey: string;
  /** The public half of a signing client's key. */
  accessKey: string;
  renderMs: number;
  visibleAfterMs: number | undefined;
  concurrency: Record<string, number>;
  now: () => number;
  newId: () => string;
}

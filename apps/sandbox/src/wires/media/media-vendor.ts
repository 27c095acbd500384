import type { JobLedger } from '../../jobs/job-ledger.ts';
import type { MediaArchive } from '../../media/media-archive.ts';

export interface MediaVendor {
  ledger: JobLedger;
  archive: MediaArchive;
  /** The API key of clients. It is also the secret of clients that sign requests. */
  apiKey: string;
  /** The access key (public half) of clients that sign requests. */
  accessKey: string;
  renderMs: number;
  visibleAfterMs: number | undefined;
  concurrency: Record<string, number>;
  now: () => number;
  newId: () => string;
}

import type { JobLedger } from '../../jobs/job-ledger.ts';
import type { FilmArchive } from '../../media/video/film-archive.ts';

/** What the calls of the videos wire share. */
export interface VideosVendor {
  ledger: JobLedger;
  films: FilmArchive;
  /** The Bearer key that callers must send. */
  apiKey: string;
  /** How long a job renders unless its prompt says otherwise, in milliseconds. */
  renderMs: number;
  /** Unix milliseconds. */
  now: () => number;
  /** A fresh unguessable id. */
  newId: () => string;
}

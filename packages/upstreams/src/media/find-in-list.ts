import type { FindOutcome, CandidateJob } from '@sluice/canonical';
import type { CallVendor, VendorCall } from './media-wire.ts';

/** Max lag of the vendor's clock, in milliseconds. Most vendors also round times to seconds. */
const SKEW_MS = 30_000;
const MAX_PAGES = 20;

export interface ListedJob {
  id?: string | undefined;
  /** Unix milliseconds. */
  createdAt?: number | undefined;
}

interface ListPage<J extends ListedJob> {
  jobs: J[];
  hasMore: boolean;
  next?: string | undefined;
}

export interface ListSearch<J extends ListedJob> {
  send: CallVendor;
  call(page: number, next?: string): VendorCall;
  read(body: unknown): ListPage<J> | undefined;
  isMatch(job: J): boolean;
  /** Start of the attempt in Unix milliseconds. */
  submittedAt: number;
  /** Max time from the attempt's start to the job's creation, in milliseconds. Absent: no limit. */
  windowMs?: number;
  certain?: boolean;
}

/**
 * Reads a vendor's list back to the submission time and collects matching jobs. With `windowMs`, a job without a
 * creation time does not match. Never returns `none`, because lists may lag. The caller adopts a candidate only if it
 * is the only one.
 */
export async function findInList<J extends ListedJob>(search: ListSearch<J>): Promise<FindOutcome> {
  const from = search.submittedAt - SKEW_MS;
  const isTimely = ({ createdAt: at }: J): boolean =>
    search.windowMs === undefined || (at !== undefined && at >= from && at <= search.submittedAt + search.windowMs);
  const matches: CandidateJob[] = [];
  const seen = new Set<string>();
  let next: string | undefined;
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const { status, body } = await search.send(search.call(page, next));
    if (status !== 200) {
      return { kind: 'unclear', message: `The upstream returned HTTP ${status} for the lookup.` };
    }
    const read = search.read(body);
    if (read === undefined) {
      return { kind: 'unclear', message: 'The upstream returned a lookup response without a list.' };
    }
    ({ next } = read);
    let fresh = 0;
    for (const job of read.jobs) {
      if (job.id === undefined || seen.has(job.id)) continue;
      seen.add(job.id);
      fresh += 1;
      if (isTimely(job) && search.isMatch(job)) matches.push({ upstreamId: job.id });
    }
    // Checks every job on the page, so that a list in another order does not stop the search early.
    const passed =
      read.jobs.length > 0 && read.jobs.every(({ createdAt }) => createdAt !== undefined && createdAt < from);
    if (passed || !read.hasMore) {
      return { kind: 'candidates', jobs: matches, certain: search.certain };
    }
    if (fresh === 0) return { kind: 'unclear', message: 'The upstream repeats a page of its list.' };
  }
  return { kind: 'unclear', message: 'The upstream has too many jobs to search.' };
}

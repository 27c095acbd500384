import { type FindOutcome, type CandidateJob, unexpectedMessage } from '@sluice/canonical';
import type { CallVendor, VendorCall } from './media-wire.ts';

/** How far the vendor's clock may lag, in milliseconds. In addition, most vendors round times to seconds. */
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
  /** Maximum time from the attempt's start to the job's creation, in milliseconds. If absent, there is no limit. */
  windowMs?: number;
  certain?: boolean;
}

/**
 * Reads a vendor's list, newest first, until the submission time and collects matching jobs. With `windowMs`, a job
 * without a creation time does not match. Never returns `none`, because lists may lag. The caller adopts a job only if
 * it is the only candidate.
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
      return { kind: 'unclear', message: unexpectedMessage(`HTTP ${status}`, 'lookup') };
    }
    const read = search.read(body);
    if (read === undefined) {
      return { kind: 'unclear', message: unexpectedMessage('a response without a list', 'lookup') };
    }
    ({ next } = read);
    let fresh = 0;
    for (const job of read.jobs) {
      if (job.id === undefined || seen.has(job.id)) continue;
      seen.add(job.id);
      fresh += 1;
      if (isTimely(job) && search.isMatch(job)) matches.push({ upstreamId: job.id });
    }
    // Check every job on the page, so that a list in a different order does not end the search early.
    const passed =
      read.jobs.length > 0 && read.jobs.every(({ createdAt }) => createdAt !== undefined && createdAt < from);
    if (passed || !read.hasMore) {
      return { kind: 'candidates', jobs: matches, certain: search.certain };
    }
    if (fresh === 0) return { kind: 'unclear', message: unexpectedMessage('the same page twice', 'lookup') };
  }
  return { kind: 'unclear', message: 'The upstream has too many jobs to search.' };
}

import type { FindOutcome, FoundJob } from '@sluice/canonical';
import type { CallVendor, VendorCall } from './media-wire.ts';

/** How far a vendor's clock may be behind ours, in milliseconds; most tell times in whole seconds besides. */
const SKEW_MS = 30_000;
/** Pages that are walked at most. */
const MAX_PAGES = 20;

/** A job as a vendor's list tells it. */
export interface ListedJob {
  id?: string | undefined;
  /** Unix milliseconds. */
  createdAt?: number | undefined;
}

/** One page of a vendor's list. */
export interface ListPage<J extends ListedJob> {
  jobs: J[];
  /** Whether there may be another page. */
  hasMore: boolean;
  /** The vendor's word for it, where pages are not asked for by their numbers. */
  next?: string | undefined;
}

/** A look through a vendor's list. */
export interface ListSearch<J extends ListedJob> {
  ask: CallVendor;
  /** The call for a page, the first being 1; `next` is what the page before said. */
  call(page: number, next?: string): VendorCall;
  /** Reads a page out of a body; nothing when it is none. */
  read(body: unknown): ListPage<J> | undefined;
  /** Whether a job may be the lost one, as far as its words go; its time is looked at here. */
  fits(job: J): boolean;
  /** When the attempt began, Unix milliseconds. */
  submittedAt: number;
  /** How much later than that a job may have come about, milliseconds; absent: a job that fits may be of any time. */
  windowMs?: number;
  /** {@link FindOutcome.certain} */
  certain?: boolean;
}

/**
 * Walks a vendor's list back to the time of a submission and gathers the jobs that may be it. Where their time
 * matters, a job that tells none is none. Never `none`: lists may lag behind. A list that cannot be walked that far proves nothing, since the caller
 * adopts only what is the one candidate.
 */
export async function findInList<J extends ListedJob>(search: ListSearch<J>): Promise<FindOutcome> {
  const from = search.submittedAt - SKEW_MS;
  const isTimely = ({ createdAt: at }: J): boolean =>
    search.windowMs === undefined || (at !== undefined && at >= from && at <= search.submittedAt + search.windowMs);
  const found: FoundJob[] = [];
  const seen = new Set<string>();
  let next: string | undefined;
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const { status, body } = await search.ask(search.call(page, next));
    if (status !== 200) {
      return { kind: 'unclear', message: `The upstream answered the look-up with HTTP ${status}` };
    }
    const read = search.read(body);
    if (read === undefined) return { kind: 'unclear', message: 'The upstream answered the look-up with no list' };
    ({ next } = read);
    let fresh = 0;
    for (const job of read.jobs) {
      if (job.id === undefined || seen.has(job.id)) continue;
      seen.add(job.id);
      fresh += 1;
      if (isTimely(job) && search.fits(job)) found.push({ upstreamId: job.id });
    }
    // All of it, so that a list in another order than the newest first cannot end the search in its middle.
    const passed =
      read.jobs.length > 0 && read.jobs.every(({ createdAt }) => createdAt !== undefined && createdAt < from);
    if (passed || !read.hasMore) {
      return { kind: 'candidates', jobs: found, ...(search.certain === true && { certain: true }) };
    }
    if (fresh === 0) return { kind: 'unclear', message: 'The upstream gives the same page of its list again' };
  }
  return { kind: 'unclear', message: 'The upstream has too many jobs to look through' };
}

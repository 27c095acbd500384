import type { FindOutcome, FoundJob, MediaSubmission, VideoRequest } from '@sluice/canonical';
import type { AskVendor } from '../media/media-wire.ts';
import { readPage, type WireJob } from './wire.ts';

/** How far the upstream's clock may be behind ours, in milliseconds; `created_at` is in whole seconds besides. */
const SKEW_MS = 30_000;
const PAGE_LIMIT = 100;
/** Pages that are walked at most. */
const MAX_PAGES = 20;

/**
 * Looks in the upstream's list for the job of a submission whose answer was lost: jobs of the same model, prompt and
 * duration, made since. Lists may lag behind, so an empty one is no proof: this never answers `none`. A list that
 * cannot be walked to its end proves nothing either, since the caller adopts only what is the one candidate.
 */
export async function findVideo(submission: MediaSubmission<VideoRequest>, ask: AskVendor): Promise<FindOutcome> {
  const since = submission.submittedAt - SKEW_MS;
  const found: FoundJob[] = [];
  const seen = new Set<string>();
  let after: string | undefined;
  for (let walked = 0; walked < MAX_PAGES; walked += 1) {
    const page = await fetchPage(ask, after);
    if (typeof page === 'string') return { kind: 'unclear', message: page };
    const fresh = page.jobs.filter((job) => job.id !== undefined && !seen.has(job.id));
    for (const job of fresh) {
      if (job.id === undefined) continue;
      seen.add(job.id);
      if (fits(job, submission, since)) found.push({ upstreamId: job.id });
    }
    const passed = page.jobs.some((job) => job.createdAt !== undefined && job.createdAt < since);
    const more = page.hasMore ?? page.jobs.length >= PAGE_LIMIT;
    if (passed || !more) return { kind: 'candidates', jobs: found };
    if (fresh.length === 0 || page.lastId === undefined) {
      return { kind: 'unclear', message: 'The upstream gives the same page of its list again' };
    }
    after = page.lastId;
  }
  return { kind: 'unclear', message: 'The upstream has too many jobs to look through' };
}

/** What the upstream does not tell cannot be compared, so the job is no candidate. */
function fits(job: WireJob, submission: MediaSubmission<VideoRequest>, since: number): boolean {
  const { model, request } = submission;
  if (job.createdAt === undefined || job.createdAt < since || job.model !== model) return false;
  if (job.prompt === undefined || request.prompt === undefined) return false;
  if (job.prompt !== request.prompt.trim()) return false;
  if (job.remixedFrom !== undefined && job.remixedFrom !== request.remix?.upstreamId) return false;
  // A variation is as long as what it is one of.
  if (request.seconds === undefined || request.remix !== undefined) return true;
  return job.seconds !== undefined && Number(job.seconds) === Number(request.seconds);
}

async function fetchPage(ask: AskVendor, after: string | undefined) {
  const query = new URLSearchParams({
    limit: String(PAGE_LIMIT),
    order: 'desc',
    ...(after === undefined ? {} : { after }),
  });
  const answer = await ask({ method: 'GET', path: `/videos?${query.toString()}` });
  if (answer.status !== 200) return `The upstream answered the look-up with HTTP ${answer.status}`;
  return readPage(answer.body) ?? 'The upstream answered the look-up with no list';
}

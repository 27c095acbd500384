import type { PollOutcome, SubmitOutcome, TaskErrorCode, UpstreamJob } from '@sluice/canonical';
import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import { cappedRetryAfterMs } from '../http/retry-after.ts';
import { sanitizeReason } from '../http/sanitize-reason.ts';
import type { UpstreamAccount, UpstreamContext } from '../upstream.ts';
import { type Decision, refusedSubmission } from './outcomes/decision.ts';
import { type PolledTask, taskOutcome } from './outcomes/task-outcome.ts';

/** A vendor's servers may not all know a job that is younger than this. */
const YOUNG_MS = 5 * 60_000;
const IMAGE_MS = 180_000;
const LOOK_UP_MS = 45_000;

/** The origin of a vendor's text: its job, or the model's upstream name, which clients may see. */
type TextSource = Partial<Pick<UpstreamJob, 'baseUrl' | 'upstreamId' | 'model'>>;
type Accepted = Extract<SubmitOutcome, { kind: 'accepted' }>;

export type WireTools = ReturnType<typeof wireTools>;

export function wireTools(account: UpstreamAccount, { timeouts, now }: Pick<UpstreamContext, 'timeouts' | 'now'>) {
  const keys = [account.api_key, account.access_key, account.secret_key, ...Object.values(account.headers ?? {})];

  /** Returns the vendor's text, sanitized, or `fallback` if there is none. */
  function reason(text: string | undefined, fallback: string, { baseUrl, upstreamId, model }: TextSource = {}): string {
    const hosts = [account.base_url, baseUrl].map((url) => (url ? URL.parse(url)?.host : undefined));
    const hide = [...keys, ...hosts, upstreamId].filter((word) => word !== undefined);
    return sanitizeReason(text ?? '', hide, model) || fallback;
  }

  /** Returns the vendor's retry delay, to be spread into an outcome. */
  function retryDelay({ headers }: Pick<UpstreamResponse, 'headers'>): { retryAfterMs?: number } {
    const retryAfterMs = cappedRetryAfterMs(headers, now());
    return retryAfterMs === undefined ? {} : { retryAfterMs };
  }

  /** Whether the job is so new that "not found" may mean "not visible yet". */
  const isYoung = ({ acceptedAt }: UpstreamJob) => now() - acceptedAt < YOUNG_MS;

  return {
    reason,
    retryDelay,
    isYoung,
    /** Whether an empty lookup proves that a submission lost at `lostAt` (Unix milliseconds) created no job. */
    isSettled: (lostAt: number) => now() - lostAt >= (timeouts.lookUpMs ?? LOOK_UP_MS),
    /** Max idle time of a synchronous image call, in milliseconds. */
    imageMs: timeouts.imageMs ?? IMAGE_MS,
    now,

    /** Returns `unknown` for a success without an id, because the vendor may be processing the request. */
    accepted: (
      response: UpstreamResponse,
      upstreamId: string | undefined,
      { path, seconds, size }: Pick<Accepted, 'path' | 'seconds' | 'size'> = {},
    ): SubmitOutcome =>
      upstreamId === undefined
        ? { kind: 'unknown', message: `The upstream returned HTTP ${response.status} without an id.` }
        : { kind: 'accepted', upstreamId, path, seconds, size, ...retryDelay(response) },

    refused: (
      response: UpstreamResponse,
      decision: Decision,
      text: string | undefined,
      fallback = `The upstream refused the request (HTTP ${response.status}).`,
    ): SubmitOutcome => refusedSubmission(decision, reason(text, fallback), retryDelay(response)),

    noState: (response: UpstreamResponse): PollOutcome => ({
      kind: 'unclear',
      message: `The upstream returned HTTP ${response.status} for the poll.`,
      ...retryDelay(response),
    }),

    failed: (code: TaskErrorCode, text: string | undefined, job: UpstreamJob): PollOutcome => ({
      kind: 'failed',
      code,
      message: reason(text, 'The upstream failed without a reason.', job),
    }),

    /** Returns the outcome for a job that the vendor does not know. Its servers may not all know a new job yet. */
    missing: (response: UpstreamResponse, job: UpstreamJob): PollOutcome =>
      isYoung(job)
        ? { kind: 'unclear', message: 'The upstream does not know the job yet.', ...retryDelay(response) }
        : { kind: 'failed', code: 'content_expired', message: 'The upstream no longer knows the job.' },

    polled: (response: UpstreamResponse, task: PolledTask, job: UpstreamJob): PollOutcome => {
      const fallback = 'The upstream failed without a reason.';
      return taskOutcome(task, reason(task.failure?.text, fallback, job), retryDelay(response));
    },
  };
}

import {
  type PollOutcome,
  type SubmitOutcome,
  type TaskErrorCode,
  type UpstreamJob,
  UPSTREAM_MESSAGES,
  statusMessage,
  unexpectedMessage,
} from '@sluice/canonical';
import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import { cappedRetryAfterMs } from '../http/retry-after.ts';
import { sanitizeReason } from '../http/sanitize-reason.ts';
import type { UpstreamAccount, UpstreamContext } from '../contract/upstream.ts';
import { type Decision, refusedSubmission } from './outcomes/decision.ts';
import { type PolledTask, taskOutcome } from './outcomes/task-outcome.ts';

/** Until a job has this age, some of the vendor's servers may not know it. */
const YOUNG_MS = 5 * 60_000;
const IMAGE_MS = 180_000;
const LOOK_UP_MS = 45_000;

/** Values that a vendor's text may contain. Of these, clients may see only the model's upstream name. */
type TextSource = Partial<Pick<UpstreamJob, 'baseUrl' | 'upstreamId' | 'model'>>;
type Accepted = Extract<SubmitOutcome, { kind: 'accepted' }>;

export type WireTools = ReturnType<typeof wireTools>;

export function wireTools(account: UpstreamAccount, { timeouts, now }: Pick<UpstreamContext, 'timeouts' | 'now'>) {
  const keys = [account.api_key, account.access_key, account.secret_key, ...Object.values(account.headers ?? {})];

  /** Returns the vendor's sanitized text, or `fallback` if there is no text. */
  function reason(text: string | undefined, fallback: string, { baseUrl, upstreamId, model }: TextSource = {}): string {
    if (text === undefined || text === '') return fallback;
    const hosts = [account.base_url, baseUrl].map((url) => (url ? URL.parse(url)?.host : undefined));
    const hide = [...keys, ...hosts, upstreamId].filter((secret) => secret !== undefined);
    return sanitizeReason(text, hide, model) || fallback;
  }

  /** Returns the vendor's retry delay as an object to spread into an outcome. */
  function retryDelay({ headers }: Pick<UpstreamResponse, 'headers'>): { retryAfterMs?: number } {
    const retryAfterMs = cappedRetryAfterMs(headers, now());
    return retryAfterMs === undefined ? {} : { retryAfterMs };
  }

  /** Whether the job is so new that "not found" can mean "not visible yet". */
  const isYoung = ({ acceptedAt }: UpstreamJob) => now() - acceptedAt < YOUNG_MS;

  return {
    reason,
    retryDelay,
    isYoung,
    /** Whether an empty lookup proves that a submission lost at `lostAt` (Unix milliseconds) created no job. */
    isLookupConclusive: (lostAt: number) => now() - lostAt >= (timeouts.lookUpMs ?? LOOK_UP_MS),
    /** Maximum idle time of a synchronous image call, in milliseconds. */
    imageMs: timeouts.imageMs ?? IMAGE_MS,
    now,

    /** Returns `unknown` for a success without an id, because the vendor may be processing the request. */
    accepted: (
      response: UpstreamResponse,
      upstreamId: string | undefined,
      { path, seconds, size }: Pick<Accepted, 'path' | 'seconds' | 'size'> = {},
    ): SubmitOutcome =>
      upstreamId === undefined
        ? { kind: 'unknown', message: unexpectedMessage(`HTTP ${response.status} without an id`, 'submission') }
        : { kind: 'accepted', upstreamId, path, seconds, size, ...retryDelay(response) },

    refused: (
      response: UpstreamResponse,
      decision: Decision,
      text: string | undefined,
      fallback = statusMessage(response.status),
    ): SubmitOutcome => refusedSubmission(decision, reason(text, fallback), retryDelay(response)),

    noState: (response: UpstreamResponse): PollOutcome => ({
      kind: 'unclear',
      message: unexpectedMessage(`HTTP ${response.status}`, 'poll'),
      ...retryDelay(response),
    }),

    failed: (code: TaskErrorCode, text: string | undefined, job: UpstreamJob): PollOutcome => ({
      kind: 'failed',
      code,
      message: reason(text, UPSTREAM_MESSAGES.failed, job),
    }),

    /** Returns the outcome for a job that the vendor does not know. For a new job, this may be temporary. */
    missing: (response: UpstreamResponse, job: UpstreamJob): PollOutcome =>
      isYoung(job)
        ? { kind: 'unclear', message: 'The upstream does not return the job yet.', ...retryDelay(response) }
        : {
            kind: 'failed',
            code: 'content_expired',
            message: 'The upstream no longer has the job. Retry the request.',
          },

    polled: (response: UpstreamResponse, task: PolledTask, job: UpstreamJob): PollOutcome => {
      return taskOutcome(task, reason(task.failure?.text, UPSTREAM_MESSAGES.failed, job), retryDelay(response));
    },
  };
}

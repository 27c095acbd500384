/**
 * Common behavior of the simulated media APIs ("wires"). Each API is a folder `wires/<name>/` with a
 * `register-<name>.ts` and an entry in `wires/wire-table.ts`. Its registration
 * 1. creates a {@link MediaWire} with {@link openMediaWire}, which also checks keys and formats HTTP errors;
 * 2. calls {@link MediaWire.submit} (or {@link MediaWire.submitAndWait}), {@link MediaWire.poll}, and so on in its routes. All
 * directives then work. `[moderated-output]`, `[partial]`, and `[nothing]` set `cause` and `outputs` of a job's state.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { WireError } from '../../http/wire-error.ts';
import { consumeDirective } from '../../jobs/consume-directive.ts';
import { uuidFrom } from '../../jobs/job-id.ts';
import { isVisible, jobState, type MediaJob } from '../../jobs/media-job.ts';
import { hasDirective, lateSeconds, MEDIA_DIRECTIVES } from '../../directives/media-directives.ts';
import { exceedsLimit, startTimeOf } from './account-limit.ts';
import { dropConnection, sendGarbage } from './broken-responses.ts';
import type { FormatError } from './format-error.ts';
import type { MediaVendor } from './media-vendor.ts';
import { type MediaParams, newJob, taskOf } from './media-params.ts';
import { type MediaScope, openMediaScope } from './open-media-scope.ts';
import { type FinishedResponse, sendWhenFinished } from './send-when-finished.ts';

export interface MediaWireSpec {
  wire: string;
  format: FormatError;
  /** Formats a job id in the vendor's style. Default: a UUID. */
  jobId?: (unique: string, now: number) => string;
  /** Whether polls find a new job only after a delay. Default true. */
  hasLag?: boolean;
  /** Handling of jobs over the account's limit. Default `refuse`. */
  overLimit?: 'refuse' | 'wait';
  /** Checks that the vendor makes during rendering instead of at submission. Default none. */
  deferredChecks?: readonly ('moderation' | 'refused')[];
}

interface SubmittedBody {
  /** The prompt, even if the rest of the body is invalid. */
  prompt: string;
  /** @throws WireError if the vendor would reject it. */
  read(): MediaParams;
}

interface Submission extends SubmittedBody {
  /** Called after the job was accepted. Errors thrown here do not undo the acceptance. */
  response(job: MediaJob): unknown;
}

interface Poll {
  response(): unknown;
  /** Returns the response with a status that the vendor does not define. */
  garbled(): unknown;
}

export interface MediaWire {
  /**
   * Parses, checks, and records a submission. Rejected submissions are counted, too.
   * @throws WireError for a rejection.
   */
  submit(request: FastifyRequest, reply: FastifyReply, submission: Submission): Promise<FastifyReply>;
  /** Like `submit`, for a vendor that responds only when the job is finished. */
  submitAndWait(
    request: FastifyRequest,
    reply: FastifyReply,
    submission: SubmittedBody & FinishedResponse,
  ): Promise<FastifyReply>;
  /** @throws WireError for an injected fault. */
  poll(job: MediaJob, reply: FastifyReply, poll: Poll): FastifyReply;
  /**
   * @param isServed whether this path serves the job. Default: always true.
   * @throws WireError `not_found`, also if the job is not visible yet.
   */
  find(id: string, isServed?: (job: MediaJob) => boolean): MediaJob;
  /** Returns the visible jobs, oldest first. */
  jobs(): MediaJob[];
  /** Cancels the job. Polls still find it. */
  cancel(job: MediaJob): void;
  /** Cancels a running job or deletes a finished one. Polls no longer find it. */
  remove(job: MediaJob): void;
}

export interface OneJob {
  Params: { id: string };
}

export interface JobQuery {
  Querystring: Record<string, unknown>;
}

function pause(seconds: number): Promise<void> | undefined {
  return seconds === 0 ? undefined : new Promise((resolve) => setTimeout(resolve, seconds * 1_000).unref());
}

export function createMediaWire(vendor: MediaVendor, spec: MediaWireSpec): MediaWire {
  const { ledger, now } = vendor;
  const { wire, format, jobId = uuidFrom, hasLag = true, overLimit = 'refuse', deferredChecks = [] } = spec;
  const limit = vendor.concurrency[wire];

  function rejectByDirective(task: string, prompt: string): void {
    if (consumeDirective(ledger, 'unavailable', { wire, prompt }, task)) throw format('unavailable');
    if (hasDirective(prompt, 'balance')) throw format('balance');
    for (const check of ['refused', 'moderation'] as const) {
      if (hasDirective(prompt, check) && !deferredChecks.includes(check)) throw format(check);
    }
    if (consumeDirective(ledger, 'throttled', { wire, prompt }, task)) throw format('throttled');
  }

  function accept(task: string, params: MediaParams): MediaJob {
    rejectByDirective(task, params.prompt);
    const unfinished = ledger.unfinished(wire, now());
    if (overLimit === 'refuse' && exceedsLimit(unfinished, params, limit)) throw format('concurrency');
    const startsAt = overLimit === 'wait' ? startTimeOf(unfinished, now(), limit) : now();
    const job = newJob(vendor, { id: jobId(vendor.newId(), now()), wire, task }, params, { startsAt, hasLag });
    ledger.accept(job);
    return job;
  }

  /** Accepts a submission. If it is rejected and its task is known, counts the rejection. */
  function admit(task: string, submitted: SubmittedBody): MediaJob {
    try {
      return accept(task, submitted.read());
    } catch (error) {
      if (error instanceof WireError && task !== '') ledger.refuse({ wire, task, prompt: submitted.prompt });
      throw error;
    }
  }

  /** Returns undefined if the connection must be dropped, before or after the job was accepted. */
  function enter(request: FastifyRequest, submitted: SubmittedBody): MediaJob | undefined {
    const { prompt } = submitted;
    const task = taskOf(request, prompt);
    if (consumeDirective(ledger, 'lostRequest', { wire, prompt }, task)) return undefined;
    const job = admit(task, submitted);
    return hasDirective(prompt, 'lostReply') ? undefined : job;
  }

  return {
    async submit(request, reply, submission) {
      const job = enter(request, submission);
      await pause(lateSeconds(submission.prompt));
      return job === undefined ? dropConnection(request, reply) : reply.send(await submission.response(job));
    },
    async submitAndWait(request, reply, submission) {
      const job = enter(request, submission);
      await pause(lateSeconds(submission.prompt));
      return job === undefined
        ? dropConnection(request, reply)
        : sendWhenFinished(vendor, format, job, reply, submission);
    },
    poll(job, reply, poll) {
      const { id } = job;
      if (consumeDirective(ledger, 'broken', job, id)) throw format('broken');
      if (consumeDirective(ledger, 'garbled', job, id)) {
        return sendGarbage(reply, ledger.faults(wire, id, MEDIA_DIRECTIVES.garbled.word), poll.garbled());
      }
      return reply.send(poll.response());
    },
    find(id, isServed = () => true) {
      const job = ledger.find(wire, id);
      if (job === undefined || !isVisible(job, now()) || !isServed(job)) throw format('not_found', id);
      return job;
    },
    jobs: () => ledger.jobs(wire).filter((job) => isVisible(job, now())),
    cancel: (job) => ledger.cancel(job, now()),
    remove(job) {
      const { status } = jobState(job, now());
      ledger.remove(job, status === 'queued' || status === 'in_progress');
    },
  };
}

export function openMediaWire(scope: FastifyInstance, vendor: MediaVendor, spec: MediaWireSpec & MediaScope) {
  openMediaScope(scope, spec);
  return createMediaWire(vendor, spec);
}

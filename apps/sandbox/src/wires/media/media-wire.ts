/**
 * Behavior that all media wires share. A wire is a folder `wires/<name>/` with a `register-<name>.ts` and a line in
 * `wires/wire-table.ts`. Its registration
 * 1. creates a {@link MediaWire} with {@link openMediaWire}, which also checks keys and formats HTTP errors;
 * 2. calls {@link MediaWire.submit} (or {@link MediaWire.make}), {@link MediaWire.poll}, and so on in its routes.
 * All directives then work; `[moderated-output]`, `[partial]`, and `[nothing]` arrive as `cause` and `outputs` of a
 * job's state.
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
  /** Whether a new job is not found at first. Default true. */
  hasLag?: boolean;
  /** Jobs over the account's limit. Default `refuse`. */
  overLimit?: 'refuse' | 'wait';
  /** Checks that the vendor makes while it renders, not at submission. Default none. */
  deferredChecks?: readonly ('moderation' | 'refused')[];
}

interface SubmittedBody {
  /** The prompt, even if the rest of the body is invalid. */
  prompt: string;
  /** @throws WireError if the vendor would reject it. */
  read(): MediaParams;
}

interface Submission extends SubmittedBody {
  /** Errors thrown here come after the job was accepted. */
  response(job: MediaJob): unknown;
}

interface Poll {
  response(): unknown;
  /** The response with a status unknown to the wire. */
  garbled(): unknown;
}

export interface MediaWire {
  /**
   * Reads, checks, and records a submission; rejections are counted too.
   * @throws WireError for a rejection.
   */
  submit(request: FastifyRequest, reply: FastifyReply, submission: Submission): Promise<FastifyReply>;
  /** Like `submit`, for a vendor that responds when the job is done. */
  make(request: FastifyRequest, reply: FastifyReply, making: SubmittedBody & FinishedResponse): Promise<FastifyReply>;
  /** @throws WireError for an injected fault. */
  poll(job: MediaJob, reply: FastifyReply, poll: Poll): FastifyReply;
  /**
   * @param isServed whether this path still serves the job. Default: always.
   * @throws WireError `not_found`, also while the job is not visible yet.
   */
  find(id: string, isServed?: (job: MediaJob) => boolean): MediaJob;
  /** Visible jobs, oldest first. */
  jobs(): MediaJob[];
  /** The job remains findable, as canceled. */
  cancel(job: MediaJob): void;
  /** Cancels a running job or deletes a finished one; neither is found again. */
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

  /** A rejection is counted if its task is known. */
  function admit(task: string, submitted: SubmittedBody): MediaJob {
    try {
      return accept(task, submitted.read());
    } catch (error) {
      if (error instanceof WireError && task !== '') ledger.refuse({ wire, task, prompt: submitted.prompt });
      throw error;
    }
  }

  /** Undefined if the connection is to be dropped, with or without an accepted job. */
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
    async make(request, reply, making) {
      const job = enter(request, making);
      await pause(lateSeconds(making.prompt));
      return job === undefined ? dropConnection(request, reply) : sendWhenFinished(vendor, format, job, reply, making);
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

/**
 * What all wires of media do alike. To add a wire, make a folder `wires/<name>/` with a `register-<name>.ts` that
 *
 * 1. opens its scope with `openMediaScope`, which checks keys and spells the errors of HTTP;
 * 2. makes a {@link MediaWire} with {@link createMediaWire}, telling how its vendor spells faults;
 * 3. calls {@link MediaWire.submit} (or {@link MediaWire.make}), {@link MediaWire.poll} and their like in its routes, so
 *    that every word of `prompt-words.ts` works without being named in the wire; `[moderated-output]`, `[partial]` and
 *    `[nothing]` come to it as the `cause` and the `outputs` of a job's state;
 *
 * and add a line to `build-sandbox.ts`, and the name to `jobs/wire.ts` if it is new.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { WireError } from '../../http/wire-error.ts';
import { isVisible, jobState, type MediaJob } from '../../jobs/media-job.ts';
import type { Wire } from '../../jobs/wire.ts';
import {
  FAILED_POLLS,
  GARBLED_POLLS,
  hasDirective,
  lateSeconds,
  MEDIA_DIRECTIVES,
  REJECTED_SUBMISSIONS,
} from '../../directives/media-directives.ts';
import { exceedsLimit, turnOf } from './account-limit.ts';
import { dropConnection, sendGarbage } from './broken-responses.ts';
import type { FormatError } from './format-error.ts';
import type { MediaVendor } from './media-vendor.ts';
import { type MediaParams, newJob, taskOf } from './media-params.ts';
import { type FinishedResponse, sendWhenFinished } from './send-when-finished.ts';

/** What sets one wire apart from the others. */
export interface MediaWireSpec {
  wire: Wire;
  format: FormatError;
  /** Whether a new job is not found at first, unless the settings say otherwise. Default true. */
  hasLag?: boolean;
  /** What the vendor does with a job that is over the account's limit. Default `refuse`. */
  overLimit?: 'refuse' | 'wait';
  /** Words that the vendor heeds only while it makes the job: it accepts what it will then fail. Default none. */
  deferredChecks?: readonly ('moderation' | 'refused')[];
}

/** The body of a submission as its wire reads it. */
interface SubmittedBody {
  /** What of the body is known to be its prompt, even when the rest is wrong; empty when there is none. */
  prompt: string;
  /**
   * Checks the body.
   * @throws WireError when the vendor would refuse it.
   */
  read(): MediaParams;
}

/** A submission to a vendor that answers at once, with a job. */
interface Submission extends SubmittedBody {
  /** The body that tells the caller its job. What it throws comes after the job was accepted. */
  response(job: MediaJob): unknown;
}

/** A call that asks how a job stands. */
interface Poll {
  /** The body of the answer. */
  response(): unknown;
  /** The same with a status that the wire has never heard of. */
  garbled(): unknown;
}

/** The flow of one wire: which fault hits which call, and what is remembered of it. */
export interface MediaWire {
  /**
   * Answers a submission: reads, checks, records, then answers; a refusal is counted too.
   * @throws WireError for a refusal.
   */
  submit(request: FastifyRequest, reply: FastifyReply, submission: Submission): Promise<FastifyReply>;
  /**
   * The same for a vendor that answers when all is made, see {@link sendWhenFinished}.
   * @throws WireError for a refusal or a fault.
   */
  make(request: FastifyRequest, reply: FastifyReply, making: SubmittedBody & FinishedResponse): Promise<FastifyReply>;
  /**
   * Answers a poll of a job.
   * @throws WireError for a fault.
   */
  poll(job: MediaJob, reply: FastifyReply, poll: Poll): FastifyReply;
  /**
   * The job of an id, once it is visible.
   * @throws WireError `not_found`.
   */
  find(id: string): MediaJob;
  /** All visible jobs, oldest first. */
  jobs(): MediaJob[];
  /** Cancels a job that has not ended; it is still found, as a canceled one. */
  cancel(job: MediaJob): void;
  /** Cancels a running job, deletes one that has ended; either is found no more. */
  remove(job: MediaJob): void;
}

function pause(seconds: number): Promise<void> | undefined {
  return seconds === 0 ? undefined : new Promise((resolve) => setTimeout(resolve, seconds * 1_000).unref());
}

/** Makes the flow of a wire. */
export function createMediaWire(vendor: MediaVendor, spec: MediaWireSpec): MediaWire {
  const { ledger, now } = vendor;
  const { wire, format, hasLag = true, overLimit = 'refuse', deferredChecks = [] } = spec;
  const limit = vendor.concurrency[wire];
  const { lostRequest, unavailable, throttled, broken, garbled } = MEDIA_DIRECTIVES;

  function refuseByWord(task: string, prompt: string): void {
    const first = (word: string, times: number): boolean => ledger.consumeFault(wire, task, word, times);
    if (hasDirective(prompt, 'unavailable') && first(unavailable.word, 1)) throw format('unavailable');
    if (hasDirective(prompt, 'balance')) throw format('balance');
    if (hasDirective(prompt, 'refused') && !deferredChecks.includes('refused')) throw format('refused');
    if (hasDirective(prompt, 'moderation') && !deferredChecks.includes('moderation')) throw format('moderation');
    if (hasDirective(prompt, 'throttled') && first(throttled.word, REJECTED_SUBMISSIONS)) throw format('throttled');
  }

  function accept(task: string, params: MediaParams): MediaJob {
    refuseByWord(task, params.prompt);
    const unfinished = ledger.unfinished(wire, now());
    if (overLimit === 'refuse' && exceedsLimit(unfinished, params, limit)) throw format('concurrency');
    const startsAt = overLimit === 'wait' ? turnOf(unfinished, now(), limit) : now();
    const job = newJob(vendor, wire, task, params, { startsAt, hasLag });
    ledger.accept(job);
    return job;
  }

  /** Reads and accepts; a refusal is counted, if it can be told whose it is. */
  function admit(task: string, submitted: SubmittedBody): MediaJob {
    try {
      return accept(task, submitted.read());
    } catch (error) {
      if (error instanceof WireError && task !== '') ledger.refuse({ wire, task, prompt: submitted.prompt });
      throw error;
    }
  }

  /** The accepted job of a submission; undefined when its connection is to die, accepted or not. */
  function enter(request: FastifyRequest, submitted: SubmittedBody): MediaJob | undefined {
    const { prompt } = submitted;
    const task = taskOf(request, prompt);
    if (hasDirective(prompt, 'lostRequest') && ledger.consumeFault(wire, task, lostRequest.word, 1)) return undefined;
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
      const hit = (word: string, times: number): boolean => ledger.consumeFault(wire, job.id, word, times);
      if (hasDirective(job.prompt, 'broken') && hit(broken.word, FAILED_POLLS)) throw format('broken');
      if (hasDirective(job.prompt, 'garbled') && hit(garbled.word, GARBLED_POLLS)) {
        return sendGarbage(reply, ledger.faults(wire, job.id, garbled.word), poll.garbled());
      }
      return reply.send(poll.response());
    },
    find(id) {
      const job = ledger.find(wire, id);
      if (job === undefined || !isVisible(job, now())) throw format('not_found', id);
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

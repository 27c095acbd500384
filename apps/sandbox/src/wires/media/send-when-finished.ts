import type { FastifyReply } from 'fastify';
import { closeSignal, wait } from '../../http/wait.ts';
import { consumeDirective } from '../../jobs/consume-directive.ts';
import { endOf, jobState, type JobState, type MediaJob } from '../../jobs/media-job.ts';
import { MEDIA_DIRECTIVES } from '../../directives/media-directives.ts';
import { sendGarbage, sendHalfJson } from './broken-responses.ts';
import type { FormatError } from './format-error.ts';
import type { MediaVendor } from './media-vendor.ts';

export type FinishedState = Extract<JobState, { completedAt: number }>;

export interface FinishedResponse {
  body(job: MediaJob, state: FinishedState): unknown;
  garbled(job: MediaJob): unknown;
  /** Whether the body contains the files. `[cut]` then interrupts this response instead of a download. */
  isInline(job: MediaJob): boolean;
}

/**
 * Responds when an accepted job ends. Directives for polls affect this response and are counted per task. If the client
 * disconnects, the job still runs to its end.
 * @throws WireError for an injected fault.
 */
export async function sendWhenFinished(
  vendor: MediaVendor,
  format: FormatError,
  job: MediaJob,
  reply: FastifyReply,
  response: FinishedResponse,
): Promise<FastifyReply> {
  const { ledger, now } = vendor;
  const { wire, task } = job;
  const end = endOf(job);
  if (!(await wait(end - now(), closeSignal(reply.raw)))) return reply.hijack();
  if (consumeDirective(ledger, 'broken', job, task)) throw format('broken');
  if (consumeDirective(ledger, 'garbled', job, task)) {
    return sendGarbage(reply, ledger.faults(wire, task, MEDIA_DIRECTIVES.garbled.word), response.garbled(job));
  }
  const state = jobState(job, end);
  if (state.status !== 'completed' && state.status !== 'failed')
    throw new Error('The job must have a final state at its end time.');
  const body = response.body(job, state);
  const isCut = response.isInline(job) && consumeDirective(ledger, 'cut', job, task);
  return isCut ? sendHalfJson(reply, body) : reply.send(body);
}

import type { FastifyReply } from 'fastify';
import { closeSignal, wait } from '../../http/wait.ts';
import { endOf, jobState, type JobState, type MediaJob } from '../../jobs/media-job.ts';
import {
  CUT_DOWNLOADS,
  FAILED_POLLS,
  GARBLED_POLLS,
  hasDirective,
  MEDIA_DIRECTIVES,
} from '../../directives/media-directives.ts';
import { sendGarbage, sendHalfJson } from './broken-responses.ts';
import type { FormatError } from './format-error.ts';
import type { MediaVendor } from './media-vendor.ts';

export type FinishedState = Extract<JobState, { completedAt: number }>;

export interface FinishedResponse {
  /** @throws WireError if the job failed. */
  made(job: MediaJob, state: FinishedState): unknown;
  garbled(job: MediaJob): unknown;
  /** The body holds the files, so `[cut]` breaks it instead of a download. */
  isInline(job: MediaJob): boolean;
}

/**
 * Waits until an accepted job ends, then responds. Directives on polls affect this one response and are counted by
 * task.
 * If the client disconnects, the job is rendered all the same.
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
  const { wire, task, prompt } = job;
  const { broken, garbled, cut } = MEDIA_DIRECTIVES;
  const hit = (word: string, times: number): boolean => ledger.consumeFault(wire, task, word, times);
  const end = endOf(job);
  if (!(await wait(end - now(), closeSignal(reply.raw)))) return reply.hijack();
  if (hasDirective(prompt, 'broken') && hit(broken.word, FAILED_POLLS)) throw format('broken');
  if (hasDirective(prompt, 'garbled') && hit(garbled.word, GARBLED_POLLS)) {
    return sendGarbage(reply, ledger.faults(wire, task, garbled.word), response.garbled(job));
  }
  const state = jobState(job, end);
  if (state.status !== 'completed' && state.status !== 'failed') throw new Error('A job must have ended at its end.');
  const body = response.made(job, state);
  if (response.isInline(job) && hasDirective(prompt, 'cut') && hit(cut.word, CUT_DOWNLOADS))
    return sendHalfJson(reply, body);
  return reply.send(body);
}

import { jobState, type MediaJob, startOf } from '../../jobs/media-job.ts';
import { hasDirective } from '../../directives/media-directives.ts';

const CREDITS = 5;

export function estimatedCost({ kind, seconds, count }: MediaJob): { credits: number } {
  return { credits: CREDITS * (kind === 'video' ? seconds : count) };
}

/** Source: docs.dev.runwayml.com, "Handle Task Failures". */
function failureOf({ prompt, kind }: MediaJob, cause: 'error' | 'moderation') {
  if (cause === 'error') {
    return { failure: 'An unexpected error occurred.', failureCode: 'INTERNAL.BAD_OUTPUT.CODE01' };
  }
  const outputName = kind === 'video' ? 'VIDEO' : 'IMAGE';
  return hasDirective(prompt, 'moderatedOutput')
    ? { failure: 'The output was moderated.', failureCode: `SAFETY.OUTPUT.${outputName}` }
    : { failure: 'Text input was moderated.', failureCode: 'SAFETY.INPUT.TEXT' };
}

export function runwayTask(job: MediaJob, now: number, urlsOf: (outputs: readonly number[]) => string[]): object {
  const { id } = job;
  const createdAt = new Date(job.createdAt).toISOString();
  const state = jobState(job, now);
  switch (state.status) {
    case 'queued': {
      const status = now < startOf(job) ? 'THROTTLED' : 'PENDING';
      return { id, status, createdAt, estimatedCost: estimatedCost(job) };
    }
    case 'in_progress': {
      return { id, status: 'RUNNING', createdAt, estimatedCost: estimatedCost(job), progress: state.progress / 100 };
    }
    case 'completed': {
      const { credits } = estimatedCost(job);
      const cost = { credits: (credits * state.outputs.length) / job.count };
      return { id, status: 'SUCCEEDED', createdAt, cost, output: urlsOf(state.outputs) };
    }
    case 'failed':
      return { id, status: 'FAILED', createdAt, cost: { credits: 0 }, ...failureOf(job, state.cause) };
  }
}

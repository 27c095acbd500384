import { jobState, type MediaJob } from '../../jobs/media-job.ts';
import { hasDirective } from '../../directives/media-directives.ts';

/** Messages of the prompt filter and the video filter. */
const FILTERED = {
  prompt:
    'Veo could not generate 1 videos based on the prompt provided. You will not be charged for this request. Try rephrasing the prompt. If you think this was an error, send feedback. Support codes: 42237218',
  video:
    'We encountered an issue with the audio for your prompt, which means we could not create your video. This can sometimes happen due to our safety filters or other processing issues. Please modify your request and try again. You have not been charged for this attempt.',
};

export function operationName({ id, model }: Pick<MediaJob, 'id' | 'model'>): string {
  return `models/${model}/operations/${id}`;
}

function filtered(reason: string, count: number) {
  return { raiMediaFilteredCount: count, raiMediaFilteredReasons: Array.from({ length: count }, () => reason) };
}

/** How an API writes an operation. */
export interface OperationFormat {
  name: string;
  videos(this: void, indexes: readonly number[]): object;
  response(this: void, output: object): object;
}

/** An operation reports no progress, only whether it is done. A filtered video is a success without samples. */
export function veoOperation(job: MediaJob, now: number, { name, videos, response }: OperationFormat): object {
  const state = jobState(job, now);
  const done = (output: object) => ({ name, done: true, response: response(output) });
  switch (state.status) {
    case 'queued':
    case 'in_progress':
      return { name };
    case 'completed':
      return done(state.outputs.length === 0 ? {} : videos(state.outputs));
    case 'failed': {
      if (state.cause === 'error') {
        const message = 'An internal error has occurred. Please try again later.';
        return { name, done: true, error: { code: 13, message } };
      }
      const { video, prompt } = FILTERED;
      return done(filtered(hasDirective(job.prompt, 'moderatedOutput') ? video : prompt, job.count));
    }
  }
}

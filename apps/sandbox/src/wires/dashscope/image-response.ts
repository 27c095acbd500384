import type { JobState, MediaJob } from '../../jobs/media-job.ts';
import { dashscopeError } from './dashscope-error.ts';

function choicesOf(urls: readonly string[], isChoice: boolean): object[] {
  const contents = isChoice ? urls.map((url) => [url]) : [urls];
  return contents.map((content) => ({
    finish_reason: 'stop',
    message: { role: 'assistant', content: content.map((image) => ({ image })) },
  }));
}

export function imageResponse(
  job: MediaJob,
  state: JobState,
  isChoice: boolean,
  outputUrls: (outputs: readonly number[]) => string[],
) {
  if (state.status !== 'completed') {
    if (state.status === 'failed' && state.cause === 'moderation') {
      throw dashscopeError(400, 'DataInspectionFailed', 'Output data may contain inappropriate content.');
    }
    const message =
      'An internal error has occured during execution, please try again later or contact service support.';
    throw dashscopeError(500, 'InternalError.Algo', message);
  }
  const urls = outputUrls(state.outputs);
  const { width, height, count } = job;
  const task_metric = { TOTAL: count, SUCCEEDED: urls.length, FAILED: count - urls.length };
  return {
    output: { choices: choicesOf(urls, isChoice), task_metric },
    usage: { width, height, image_count: urls.length },
  };
}

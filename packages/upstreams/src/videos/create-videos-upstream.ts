import type { VideoCapability } from '@sluice/canonical';
import { withoutSlash, type VideosOptions } from './account.ts';
import { cancelVideo } from './cancel.ts';
import { openVideo } from './content.ts';
import { findVideo } from './find.ts';
import { planVideo } from './plan.ts';
import { pollVideo } from './poll.ts';
import { submitVideo } from './submit.ts';

/** Makes an account of an upstream that speaks OpenAI's videos protocol: `POST /videos` and what belongs to it. */
export function createVideosUpstream(options: VideosOptions): VideoCapability {
  return {
    baseUrl: withoutSlash(options.baseUrl),
    review: (_model, request, report) => {
      const { seconds } = planVideo(request, report);
      return seconds === undefined ? {} : { seconds };
    },
    submit: (submission, signal) => submitVideo(options, submission, signal),
    poll: (job, signal) => pollVideo(options, job, signal),
    openContent: (job, _output, signal) => openVideo(options, job, signal),
    find: (submission, signal) => findVideo(options, submission, signal),
    cancel: (job, signal) => cancelVideo(options, job, signal),
  };
}

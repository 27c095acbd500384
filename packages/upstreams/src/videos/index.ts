import { type VideoRequest, unexpectedMessage } from '@sluice/canonical';
import { keyHeaderOf } from '../media/api-key.ts';
import { defineMediaUpstream } from '../media/define-media-upstream.ts';
import { openFiles } from '../media/form-files.ts';
import type { MediaWire } from '../media/media-wire.ts';
import { isSuccess } from '../media/outcomes/decision.ts';
import { openAiFailure } from '../media/outcomes/openai-error.ts';
import { openVideo } from './content.ts';
import { findVideo } from './find.ts';
import { formFields } from './form-fields.ts';
import { jobPath } from './job-path.ts';
import { planVideo, type VideosPlan } from './plan.ts';
import { readVideosSubmission } from './read-submission.ts';
import { stateOf } from './states.ts';
import { readJob } from './wire.ts';

const videosWire: MediaWire<VideoRequest, VideosPlan> = {
  plan: (_model, request, report) => planVideo(request, report),
  submission: async ({ model, request, images }, plan) => {
    if (request.remix !== undefined) {
      return { method: 'POST', path: jobPath(request.remix, '/remix'), json: { prompt: request.prompt } };
    }
    const files = await openFiles(images, () => 'input_reference');
    return { method: 'POST', path: '/videos', form: { fields: formFields(model, { ...request, ...plan }), files } };
  },
  readSubmission: (response, _plan, tools) => readVideosSubmission(response, tools),
  poll: (job) => ({ method: 'GET', path: jobPath(job) }),
  // Only a known final status ends a job. Unknown statuses are `unclear`.
  readPoll: (response, job, tools) => {
    if (!isSuccess(response.status)) return tools.noState(response);
    const video = readJob(response.body);
    if (video === undefined) {
      return {
        kind: 'unclear',
        message: unexpectedMessage('an invalid response', 'poll'),
        ...tools.retryDelay(response),
      };
    }
    const { status, progress, seconds, size, error } = video;
    const state = stateOf(status);
    if (state === 'succeeded') return { kind: 'succeeded', seconds, size };
    const failure = { code: openAiFailure(error), text: error?.message };
    return tools.polled(response, { state, progress, failure }, job);
  },
  find: findVideo,
  // OpenAI deletes only finished jobs, together with their files, and rejects the call for other jobs. Resellers cancel
  // unfinished jobs.
  cancellation: {
    call: (job) => ({ method: 'DELETE', path: jobPath(job) }),
    isCancelable: (body) => stateOf(readJob(body)?.status) === 'running',
  },
  openContent: openVideo,
  signsDownloads: true,
};

/** Upstream kind `videos`: OpenAI's videos protocol, which resellers also use. The API key is optional. */
export const videos = defineMediaUpstream({
  kind: 'videos',
  signer: (account) => () => keyHeaderOf(account),
  video: videosWire,
});

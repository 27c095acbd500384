import type { VideoRequest } from '@sluice/canonical';
import { isMinimaxV2, MINIMAX_IMAGES_V1, MINIMAX_IMAGES_V2 } from '@sluice/vendors';
import { keySigner } from '../media/api-key.ts';
import { defineMediaUpstream } from '../media/define-media-upstream.ts';
import type { MediaWire } from '../media/media-wire.ts';
import { readSubmission } from './codes.ts';
import { type PlanV1, planV1 } from './v1-plan.ts';
import { minimaxV1 } from './v1-task.ts';
import { type PlanV2, planV2 } from './v2-plan.ts';
import { minimaxV2 } from './v2-task.ts';

const versionOf = ({ model }: { model: string }) => (isMinimaxV2(model) ? minimaxV2 : minimaxV1);

/**
 * Lost submissions are not looked up. v1 has no list. The v2 list contains neither prompts nor client references, so a
 * task in it may belong to another client.
 */
const minimaxVideo: MediaWire<VideoRequest, PlanV1 | PlanV2> = {
  plan: (model, request, report) => (isMinimaxV2(model) ? planV2 : planV1)(model, request, report),
  imageFiles: ({ version }) => (version === 2 ? MINIMAX_IMAGES_V2 : MINIMAX_IMAGES_V1),
  submission: (params, plan) =>
    plan.version === 2 ? minimaxV2.submission(params, plan) : minimaxV1.submission(params, plan),
  readSubmission,
  poll: (job) => versionOf(job).poll(job),
  readPoll: (response, job, tools, send) => versionOf(job).readPoll(response, job, tools, send),
  cancellation: {
    call: (job) => (isMinimaxV2(job.model) ? minimaxV2.cancellation.call(job) : undefined),
    isCancelable: minimaxV2.cancellation.isCancelable,
  },
};

export const minimax = defineMediaUpstream({
  kind: 'minimax',
  signer: keySigner('Bearer'),
  baseUrl: (url) => {
    if (!/\/v\d+\/*$/.test(new URL(url).pathname)) return url;
    throw new Error(
      '`base_url` of an upstream of kind `minimax` must not contain a version, e.g. https://api.minimax.io',
    );
  },
  video: minimaxVideo,
});

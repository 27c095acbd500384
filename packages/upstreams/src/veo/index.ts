import type { VideoRequest } from '@sluice/canonical';
import { apiKeyOf } from '../media/api-key.ts';
import { createMediaUpstream } from '../media/create-media-upstream.ts';
import { versioned } from '../media/google-base.ts';
import type { MediaWire } from '../media/media-wire.ts';
import { wireTools, type WireTools } from '../media/wire-tools.ts';
import { defineUpstream } from '../upstream.ts';
import { planVeo, type VeoPlan } from './plan.ts';
import { inlineVideo, readVeoPoll, veoPoll } from './poll.ts';
import { readVeoSubmission, veoSubmission } from './submit.ts';

/** Veo has neither a list of operations nor a cancellation. */
function veoVideo(tools: WireTools): MediaWire<VideoRequest, VeoPlan> {
  return {
    plan: planVeo,
    submission: veoSubmission,
    readSubmission: (response, _params, plan) => readVeoSubmission(tools, response, plan),
    poll: veoPoll,
    readPoll: (response, job) => readVeoPoll(tools, response, job),
    inlineResult: inlineVideo,
    // Files are at the API itself, which requires the key that created them.
    signsDownloads: true,
  };
}

/** The kind `veo`: Google's Veo through the Gemini API. */
export const veo = defineUpstream({
  kind: 'veo',
  build: (account, context) => {
    const key = apiKeyOf(account);
    const sign = () => ({ 'x-goog-api-key': key });
    return { video: createMediaUpstream(versioned(account), context, sign, veoVideo(wireTools(account, context))) };
  },
});

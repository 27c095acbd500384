import type { VideoRequest } from '@sluice/canonical';
import { apiKeyOf } from '../media/api-key.ts';
import { createMediaUpstream } from '../media/create-media-upstream.ts';
import type { MediaWire } from '../media/media-wire.ts';
import { wireTools, type WireTools } from '../media/wire-tools.ts';
import { defineUpstream } from '../upstream.ts';
import { cancelArk } from './cancel.ts';
import { findArk } from './find.ts';
import { type ArkPlan, planArk } from './plan.ts';
import { arkPoll, readArkPoll } from './poll.ts';
import { arkSubmission, readArkSubmission } from './submit.ts';

function arkVideo(tools: WireTools): MediaWire<VideoRequest, ArkPlan> {
  return {
    plan: planArk,
    submission: arkSubmission,
    readSubmission: (response, _params, plan) => readArkSubmission(tools, response, plan),
    poll: arkPoll,
    readPoll: (response, job) => readArkPoll(tools, response, job),
    find: findArk,
    cancellation: { call: arkPoll, read: (response, job, ask) => cancelArk(tools, response, job, ask) },
  };
}

/** The kind `ark`: Seedance on Volcengine Ark, at BytePlus ModelArk. */
export const ark = defineUpstream({
  kind: 'ark',
  build: (account, context) => {
    const authorization = `Bearer ${apiKeyOf(account)}`;
    return {
      video: createMediaUpstream(account, context, () => ({ authorization }), arkVideo(wireTools(account, context))),
    };
  },
});

import type { VideoRequest } from '@sluice/canonical';
import { bearerOf } from '../media/api-key.ts';
import { createMediaUpstream } from '../media/create-media-upstream.ts';
import type { MediaWire } from '../media/media-wire.ts';
import { wireTools, type WireTools } from '../media/wire-tools.ts';
import { defineUpstream } from '../upstream.ts';
import { cancelVideo } from './cancel.ts';
import { openVideo } from './content.ts';
import { findVideo } from './find.ts';
import { planVideo, type VideosPlan } from './plan.ts';
import { readVideosPoll, videosPoll } from './poll.ts';
import { readVideosSubmission, videosSubmission } from './submit.ts';

function videosWire(tools: WireTools): MediaWire<VideoRequest, VideosPlan> {
  return {
    plan: (_model, request, report) => planVideo(request, report),
    submission: videosSubmission,
    readSubmission: (response) => readVideosSubmission(tools, response),
    poll: videosPoll,
    readPoll: (response, job) => readVideosPoll(tools, response, job),
    find: findVideo,
    cancellation: { call: videosPoll, read: (response, job, ask) => cancelVideo(tools, response, job, ask) },
    openContent: (job, access) => openVideo(tools, job, access),
    signsDownloads: true,
  };
}

/** The kind `videos`: OpenAI's videos protocol, also used by resellers. The API key is optional. */
export const videos = defineUpstream({
  kind: 'videos',
  build: (account, context) => ({
    video: createMediaUpstream(account, context, () => bearerOf(account), videosWire(wireTools(account, context))),
  }),
});

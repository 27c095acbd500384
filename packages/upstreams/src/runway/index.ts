import { apiKeyOf } from '../media/api-key.ts';
import { defineMediaUpstream } from '../media/define-media-upstream.ts';
import { planRunwayImage } from './plan-image.ts';
import { planRunwayVideo } from './plan-video.ts';
import { imageSubmission, runwayTasks, videoSubmission } from './tasks.ts';

/** The API version (@runwayml/sdk 4.20.1). */
const VERSION = '2024-11-06';

export const runway = defineMediaUpstream({
  kind: 'runway',
  signer: (account) => {
    const headers = { authorization: `Bearer ${apiKeyOf(account)}`, 'x-runway-version': VERSION };
    return () => headers;
  },
  video: { ...runwayTasks('video'), plan: planRunwayVideo, submission: videoSubmission },
  image: { ...runwayTasks('image'), plan: planRunwayImage, submission: imageSubmission },
});

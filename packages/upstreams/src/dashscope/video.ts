import type { OpenedImage, VideoRequest } from '@sluice/canonical';
import type { MediaWire } from '../media/media-wire.ts';
import { limitImageFiles } from '../media/plan/limit-params.ts';
import { imageDataUrl } from '../media/plan/image-bytes.ts';
import type { WireTools } from '../media/wire-tools.ts';
import { cancellation } from './cancel.ts';
import { bodyOptions } from './options.ts';
import { planVideo, type VideoPlan } from './plan-video.ts';
import { pollCall, readPoll } from './poll.ts';
import { AS_TASK, readTaskSubmission, SERVICES } from './submit.ts';

/** Fields that metadata cannot set: planned fields and images, which are sent inline. */
const DECIDED = [
  'model',
  'prompt',
  'negative_prompt',
  'duration',
  'seed',
  'img_url',
  'first_frame_url',
  'last_frame_url',
];
/** Fields that belong in the vendor's `input`. */
const INPUTS = ['audio_url', 'template', 'media', 'reference_urls', 'reference_video_urls'];

const MEDIA_TYPES = {
  first_frame: 'first_frame',
  last_frame: 'last_frame',
  reference: 'reference_image',
  mask: undefined,
} as const;

/** The images as the model family takes them, each as a data URL. Vendor options may add to lists. */
async function imageFields(
  images: readonly OpenedImage[],
  { model, roles }: VideoPlan,
  options: Record<string, unknown>,
): Promise<object> {
  if (images.length === 0) return {};
  limitImageFiles(images, model.imageFiles ?? {});
  const imageInputs = await Promise.all(
    images.map(async (image, at) => ({ role: roles[at] ?? image.role, url: await imageDataUrl(image) })),
  );
  const urlOf = (wanted: string) => imageInputs.find(({ role }) => role === wanted)?.url;
  const added = (name: string): unknown[] => (Array.isArray(options[name]) ? options[name] : []);
  switch (model.imageField) {
    case 'img_url':
      return { img_url: urlOf('first_frame') };
    case 'frames':
      return { first_frame_url: urlOf('first_frame'), last_frame_url: urlOf('last_frame') };
    case 'reference_urls':
      return { reference_urls: [...imageInputs.map(({ url }) => url), ...added('reference_urls')] };
    case 'media':
      return { media: [...imageInputs.map(({ role, url }) => ({ type: MEDIA_TYPES[role], url })), ...added('media')] };
  }
}

/** Videos of wan and other models of the vendor. */
export function dashscopeVideo(tools: WireTools): MediaWire<VideoRequest, VideoPlan> {
  return {
    plan: planVideo,
    submission: async ({ model, request, images }, plan) => {
      const options = bodyOptions(request.metadata, DECIDED, INPUTS);
      return {
        method: 'POST',
        path: SERVICES + plan.model.path,
        headers: AS_TASK,
        json: {
          model,
          input: { ...options.input, ...plan.input, ...(await imageFields(images, plan, options.input)) },
          parameters: { ...options.parameters, ...plan.parameters },
        },
      };
    },
    readSubmission: (response, _params, { seconds }) => readTaskSubmission(response, seconds, tools),
    poll: pollCall,
    readPoll: (response, job) => readPoll(response, job, tools),
    cancellation: cancellation(tools),
  };
}

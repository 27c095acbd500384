import type { ImageRole, OpenedImage, VideoRequest } from '@sluice/canonical';
import type { MediaWire } from '../media/media-wire.ts';
import { imageDataUrl } from '../media/plan/image-bytes.ts';
import { bodyOptions } from './options.ts';
import { planVideo, type VideoPlan } from './plan-video.ts';
import { AS_TASK, dashscopeTasks, SERVICES } from './tasks.ts';

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
const INPUTS = ['audio_url', 'template', 'media', 'reference_urls', 'reference_video_urls'];

const MEDIA_TYPES = {
  first_frame: 'first_frame',
  last_frame: 'last_frame',
  reference: 'reference_image',
  mask: undefined,
} as const;

async function imageFields(
  images: readonly OpenedImage[],
  { model, roles }: VideoPlan,
  options: Record<string, unknown>,
): Promise<object> {
  if (images.length === 0) return {};
  const imageInputs = await Promise.all(
    images.map(async (image, index) => ({ role: roles[index] ?? image.role, url: await imageDataUrl(image) })),
  );
  const urlOf = (role: ImageRole) => imageInputs.find((image) => image.role === role)?.url;
  const listed = (name: string): unknown[] => (Array.isArray(options[name]) ? options[name] : []);
  switch (model.imageField) {
    case 'img_url':
      return { img_url: urlOf('first_frame') };
    case 'frames':
      return { first_frame_url: urlOf('first_frame'), last_frame_url: urlOf('last_frame') };
    case 'reference_urls':
      return { reference_urls: [...imageInputs.map(({ url }) => url), ...listed('reference_urls')] };
    case 'media':
      return { media: [...imageInputs.map(({ role, url }) => ({ type: MEDIA_TYPES[role], url })), ...listed('media')] };
  }
}

export const dashscopeVideo: MediaWire<VideoRequest, VideoPlan> = {
  ...dashscopeTasks,
  plan: planVideo,
  imageFiles: ({ model }) => model.imageFiles ?? {},
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
};

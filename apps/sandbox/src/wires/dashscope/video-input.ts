import { z } from 'zod';
import { names } from '../../schema/names.ts';
import type { VideoInputKind } from './video-models.ts';

const MEDIA_TYPES = names(
  'reference_image reference_video reference_audio first_frame last_frame driving_audio first_clip file link',
);

const MediaItem = z.strictObject({
  type: z.enum(MEDIA_TYPES),
  url: z.string().min(1),
  reference_voice: z.url().optional(),
});

type MediaType = z.output<typeof MediaItem>['type'];

export interface VideoInput {
  prompt?: string;
  negative_prompt?: string;
  audio_url?: string;
  template?: string;
  img_url?: string;
  first_frame_url?: string;
  last_frame_url?: string;
  reference_urls?: string[];
  media?: z.output<typeof MediaItem>[];
}

const prompt = z.string().min(1);
// The vendor truncates longer texts instead of rejecting them (DashScope docs, `prompt` and `negative_prompt`).
const texts = { prompt: prompt.optional(), negative_prompt: z.string().optional() };
const sound = { audio_url: z.url().optional() };
const image = z.string().min(1);
const media = z.array(MediaItem).min(1);

function count(items: readonly { type: MediaType }[] | undefined, ...types: MediaType[]): number {
  return items?.filter(({ type }) => types.includes(type)).length ?? 0;
}

function onlyOnce(items: readonly { type: MediaType }[], ...types: MediaType[]): boolean {
  return count(items, ...types) === items.length && types.every((type) => count(items, type) <= 1);
}

/** Checks for a first frame or a clip. Either can be combined with a last frame, but only a first frame with audio. */
function isScene(items: readonly { type: MediaType }[]): boolean {
  const hasStart = count(items, 'first_frame', 'first_clip') === 1;
  return hasStart && (count(items, 'driving_audio') === 0 || count(items, 'first_frame') === 1);
}

const REFERENCES = ['reference_image', 'reference_video'] as const;

function areReferences(items: readonly { type: MediaType }[]): boolean {
  const references = count(items, ...REFERENCES);
  const first = count(items, 'first_frame');
  return references <= 5 && first <= 1 && references + first === items.length;
}

/** Frames and references cannot be combined (@ai-sdk/alibaba 2.0.58, `media`). */
function areFramesOrReferences(items: readonly { type: MediaType }[]): boolean {
  const frames = count(items, 'first_frame', 'last_frame');
  const others = count(items, ...REFERENCES, 'reference_audio', 'file', 'link');
  return (frames === items.length && onlyOnce(items, 'first_frame', 'last_frame')) || others === items.length;
}

const FRAME_MEDIA = ['first_frame', 'last_frame', 'driving_audio', 'first_clip'] as const;

const at = (field: keyof VideoInput, error: string) => ({ path: [field], error });
const NOT_COMBINED = 'its items cannot be combined';
const template = z.string().optional();

export const VIDEO_INPUTS: Readonly<Record<VideoInputKind, z.ZodType<VideoInput>>> = {
  text: z.strictObject({ ...texts, ...sound, prompt }),
  image: z.strictObject({ ...texts, ...sound, img_url: image, template }),
  frames: z
    .strictObject({ ...texts, first_frame_url: image, last_frame_url: image.optional(), template })
    .refine(
      (input) => (input.last_frame_url ?? input.template) !== undefined,
      at('last_frame_url', 'required unless there is a template'),
    ),
  references: z
    .strictObject({ ...texts, prompt, reference_urls: z.array(z.url()).min(1).max(5) })
    .refine(
      (input) => input.reference_urls.filter((url) => isVideoUrl(url)).length <= 3,
      at('reference_urls', 'at most 3 of them may be videos'),
    ),
  'frame-media': z
    .strictObject({ ...texts, media: media.optional(), img_url: image.optional() })
    // `img_url` is a field of older models, but the SDK also sends it to this model (@ai-sdk/alibaba 2.0.58).
    .refine((input) => (input.media === undefined) !== (input.img_url === undefined), at('media', 'required'))
    .refine(
      ({ media: items = [] }) => items.length === 0 || (onlyOnce(items, ...FRAME_MEDIA) && isScene(items)),
      at('media', NOT_COMBINED),
    ),
  'reference-media': z
    .strictObject({ ...texts, prompt, media })
    .refine((input) => areReferences(input.media), at('media', `${NOT_COMBINED}, or are too many`)),
  'any-media': z
    .strictObject({ ...texts, ...sound, media: media.optional() })
    .refine((input) => (input.prompt ?? input.media) !== undefined, at('prompt', 'required without media'))
    .refine(({ media: items = [] }) => areFramesOrReferences(items), at('media', NOT_COMBINED)),
};

function isVideoUrl(url: string): boolean {
  return /\.(mp4|mov)([?#]|$)/i.test(url);
}

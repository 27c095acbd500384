import { z } from 'zod';
import type { JobInput } from '../../jobs/media-job.ts';
import type { PictureFacts } from '../../media/picture/measure-picture.ts';
import { type PictureRules, readPicture } from '../media/read-picture.ts';
import { arkError, invalidParameter } from './ark-error.ts';
import type { ArkModel } from './ark-models.ts';

const Place = z.strictObject({ url: z.string().min(1) });

/** The items of `content`. */
export const ArkContent = z
  .array(
    z.discriminatedUnion('type', [
      z.strictObject({ type: z.literal('text'), text: z.string().min(1) }),
      z.strictObject({
        type: z.literal('image_url'),
        image_url: Place,
        role: z.enum(['first_frame', 'last_frame', 'reference_image']).optional(),
      }),
      z.strictObject({ type: z.literal('video_url'), video_url: Place, role: z.literal('reference_video') }),
      z.strictObject({ type: z.literal('audio_url'), audio_url: Place, role: z.literal('reference_audio') }),
    ]),
  )
  .min(1);

type ArkContent = z.output<typeof ArkContent>;

/** What `content` says. */
export interface ArkScene {
  /** Empty without a text. */
  prompt: string;
  inputs: JobInput[];
  /** Of the first picture, where it can be seen. */
  facts?: PictureFacts | undefined;
  hasPicture: boolean;
}

/** ModelArk docs, "Create a video generation task", `image_url.url`. */
const PICTURES: PictureRules = {
  ways: ['data-url'],
  own: ['asset://'],
  types: ['image/png', 'image/jpeg', 'image/webp', 'image/bmp', 'image/gif'],
  mostBytes: 30 * 1024 ** 2,
  leastSide: 300,
  mostSide: 6000,
  mostRatio: 2.5,
};

/** How often each part is there; a lone picture without a role is the first frame. */
function countParts(content: ArkContent): (part: string) => number {
  const parts = content.map((item) => {
    if (item.type === 'text') return 'text';
    return item.role ?? (content.filter(({ type }) => type === 'image_url').length === 1 ? 'first_frame' : 'no role');
  });
  return (part) => parts.filter((name) => name === part).length;
}

/** What is wrong with the parts of a scene, if anything is. */
function problemOf(content: ArkContent, model: ArkModel): string | undefined {
  const count = countParts(content);
  const [first, last] = [count('first_frame'), count('last_frame')];
  const [images, videos, audios] = [count('reference_image'), count('reference_video'), count('reference_audio')];
  const { references, frames, needsPicture } = model;
  if (count('text') > 1) return 'only one text is allowed';
  if (count('no role') > 0) return 'the role is required with more than one image';
  if (first > 1 || last > 1) return 'only one first_frame and one last_frame are allowed';
  if (first + last > 0 && images + videos + audios > 0)
    return 'first/last frame content cannot be mixed with reference media content';
  if (last > first) return 'last_frame requires first_frame';
  if (first + last > frames) return 'the model does not support these frames';
  if (images > references.images || videos > references.videos || audios > references.audios) {
    return 'the model does not support so many references';
  }
  if (audios > 0 && images + videos === 0) return 'reference_audio requires reference_image or reference_video';
  return needsPicture && first + images === 0 ? 'the model requires an image' : undefined;
}

/**
 * Reads `content`: one text, and either frames or references, as far as the model goes.
 * @throws WireError 400.
 */
export function readScene(content: ArkContent, model: ArkModel): ArkScene {
  const problem = problemOf(content, model);
  if (problem !== undefined) throw invalidParameter('content', problem);
  const texts = content.flatMap((item) => (item.type === 'text' ? [item.text] : []));
  const inputs: JobInput[] = [];
  const seen: (PictureFacts | undefined)[] = [];
  for (const item of content) {
    if (item.type === 'text') continue;
    if (item.type === 'image_url') {
      const read = readPicture(item.role ?? 'first_frame', item.image_url.url, PICTURES);
      if ('problem' in read) throw invalidParameter('content.image_url', `the image ${read.problem}`);
      inputs.push(read.input);
      seen.push(read.facts);
    } else {
      inputs.push(inputOf(item.role, item.type === 'video_url' ? item.video_url.url : item.audio_url.url));
    }
  }
  return { prompt: texts[0] ?? '', inputs, facts: seen[0], hasPicture: seen.length > 0 };
}

/** A film or a sound: named, not looked at. */
function inputOf(field: string, url: string): JobInput {
  const isKnown = /^(?:https?|asset):\/\//.test(url) || (field === 'reference_audio' && url.startsWith('data:audio/'));
  if (!isKnown) throw arkError(400, 'InvalidParameter', `The ${field} specified in the request is not a valid URL.`);
  return { field, reference: url.slice(0, 200) };
}

/** The text of a body, even when the rest of it is wrong; empty when there is none. */
export function textOf(body: unknown): string {
  const content: unknown = Object(body).content;
  const texts: unknown[] = Array.isArray(content) ? content.map((item) => Object(item).text) : [];
  return texts.find((text) => typeof text === 'string') ?? '';
}

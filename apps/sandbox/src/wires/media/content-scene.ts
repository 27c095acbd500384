import { z } from 'zod';
import type { WireError } from '../../http/wire-error.ts';
import type { JobInput } from '../../jobs/media-job.ts';
import type { ImageFacts } from '../../media/image/measure-image.ts';
import { type ImageRules, readImage } from './read-image.ts';

const Place = z.strictObject({ url: z.string().min(1) });

/** `content` as Ark has it, and MiniMax after it: a text, and pictures, films and sounds with their parts in the scene. */
export const SceneContent = z
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

/** See {@link SceneContent}. */
export type SceneContent = z.output<typeof SceneContent>;

/** What a model can use. */
export interface SceneModel {
  /** How many frames: none, the first, or first and last. */
  frames: 0 | 1 | 2;
  /** The most of each kind. */
  references: { images: number; videos: number; audios: number };
  needsImage: boolean;
}

/** What a vendor takes, and how it refuses. */
export interface SceneVendor {
  images: ImageRules;
  refuse(problem: string): WireError;
}

/** What `content` says. */
export interface Scene {
  /** Empty without a text. */
  prompt: string;
  inputs: JobInput[];
  /** Of the first picture, where it can be seen. */
  facts?: ImageFacts | undefined;
  /** Whether frames tell the shape. */
  isFramed: boolean;
  hasImage: boolean;
}

/** How often each part is there; a lone picture without a role is the first frame. */
function countParts(content: SceneContent): (part: string) => number {
  const isLone = content.filter(({ type }) => type === 'image_url').length === 1;
  const parts = content.map((item) =>
    item.type === 'text' ? 'text' : (item.role ?? (isLone ? 'first_frame' : 'no role')),
  );
  return (part) => parts.filter((name) => name === part).length;
}

/** What is wrong with the parts of a scene, if anything is. */
function problemOf(
  count: (part: string) => number,
  { frames, references, needsImage }: SceneModel,
): string | undefined {
  const [first, last] = [count('first_frame'), count('last_frame')];
  const [images, videos, audios] = [count('reference_image'), count('reference_video'), count('reference_audio')];
  if (count('text') > 1) return 'only one text is allowed';
  if (count('no role') > 0) return 'the role is required with more than one image';
  if (first > 1 || last > 1) return 'only one first_frame and one last_frame are allowed';
  if (first + last > 0 && images + videos + audios > 0) return 'frames cannot be mixed with references';
  if (last > first) return 'last_frame requires first_frame';
  if (first + last > frames) return 'the model does not support these frames';
  if (images > references.images || videos > references.videos || audios > references.audios) {
    return 'the model does not support so many references';
  }
  if (audios > 0 && images + videos === 0) return 'reference_audio requires reference_image or reference_video';
  return needsImage && first + images === 0 ? 'the model requires an image' : undefined;
}

/** A film or a sound: named, not looked at. */
function otherInput(field: string, url: string, vendor: SceneVendor): JobInput {
  const isOwn = vendor.images.own?.some((beginning) => url.startsWith(beginning)) ?? false;
  if (!isOwn && !/^(?:https?:\/\/|data:(?:video|audio)\/)/.test(url))
    throw vendor.refuse(`${field} is not a valid URL`);
  return { field, reference: url.slice(0, 200) };
}

/**
 * Reads `content`: one text, and either frames or references, as far as the model goes.
 * @throws what the vendor refuses with.
 */
export function readScene(content: SceneContent, model: SceneModel, vendor: SceneVendor): Scene {
  const count = countParts(content);
  const problem = problemOf(count, model);
  if (problem !== undefined) throw vendor.refuse(problem);
  const scene: Scene = { prompt: '', inputs: [], isFramed: count('first_frame') > 0, hasImage: false };
  for (const item of content) {
    switch (item.type) {
      case 'text':
        scene.prompt = item.text;
        break;
      case 'image_url': {
        const read = readImage(item.role ?? 'first_frame', item.image_url.url, vendor.images);
        if ('problem' in read) throw vendor.refuse(`the image ${read.problem}`);
        scene.inputs.push(read.input);
        if (!scene.hasImage) scene.facts = read.facts;
        scene.hasImage = true;
        break;
      }
      case 'video_url':
        scene.inputs.push(otherInput(item.role, item.video_url.url, vendor));
        break;
      case 'audio_url':
        scene.inputs.push(otherInput(item.role, item.audio_url.url, vendor));
        break;
    }
  }
  return scene;
}

/** The text of a body's `content`, even when the rest of it is wrong; empty when there is none. */
export function contentTextIn(body: unknown): string {
  const content: unknown = Object(body).content;
  const texts: unknown[] = Array.isArray(content) ? content.map((item) => Object(item).text) : [];
  return texts.find((text) => typeof text === 'string') ?? '';
}

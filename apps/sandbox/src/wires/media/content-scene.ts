import { z } from 'zod';
import type { WireError } from '../../http/wire-error.ts';
import type { JobInput } from '../../jobs/media-job.ts';
import type { ImageFacts } from '../../media/image/measure-image.ts';
import { type ImageRules, requireImage } from './read-image.ts';
import { tagged } from '../../schema/tagged.ts';

const UrlSource = z.strictObject({ url: z.string().min(1) });

/** `content` of Ark and MiniMax: one text, and images, videos, and audio files with roles. */
export const SceneContent = z
  .array(
    z.discriminatedUnion('type', [
      tagged('text', { text: z.string().min(1) }),
      tagged('image_url', {
        image_url: UrlSource,
        role: z.enum(['first_frame', 'last_frame', 'reference_image']).optional(),
      }),
      tagged('video_url', { video_url: UrlSource, role: z.literal('reference_video') }),
      tagged('audio_url', { audio_url: UrlSource, role: z.literal('reference_audio') }),
    ]),
  )
  .min(1);

export type SceneContent = z.output<typeof SceneContent>;

export interface SceneModel {
  /** Number of supported frames: 0, 1 (first), or 2 (first and last). */
  frames: number;
  references: { images: number; videos: number; audios: number };
  needsImage: boolean;
}

export interface SceneVendor {
  images: ImageRules;
  refuse(problem: string): WireError;
}

export interface Scene {
  prompt: string;
  inputs: JobInput[];
  /** The type and size of the first inline image. */
  facts?: ImageFacts | undefined;
  isFramed: boolean;
  hasImage: boolean;
}

/** Counts the parts per type and role. A single image without a role is treated as the first frame. */
function countParts(content: SceneContent): (part: string) => number {
  const isLone = content.filter(({ type }) => type === 'image_url').length === 1;
  const parts = content.map((item) =>
    item.type === 'text' ? 'text' : (item.role ?? (isLone ? 'first_frame' : 'no role')),
  );
  return (part) => parts.filter((name) => name === part).length;
}

function problemOf(count: (part: string) => number, { frames, references, needsImage }: SceneModel) {
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

/** Reads a reference to a video or an audio file without inspecting the file. */
function otherInput(field: string, url: string, vendor: SceneVendor): JobInput {
  const isVendorUrl = vendor.images.schemes?.some((scheme) => url.startsWith(scheme)) ?? false;
  if (!isVendorUrl && !/^(?:https?:\/\/|data:(?:video|audio)\/)/.test(url))
    throw vendor.refuse(`${field} is not a valid URL`);
  return { field, reference: url.slice(0, 200) };
}

/** @throws the error that the vendor's `refuse` creates. */
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
        const read = requireImage(item.role ?? 'first_frame', item.image_url.url, vendor.images, (imageProblem) =>
          vendor.refuse(`the image ${imageProblem}`),
        );
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

/** Returns the first text, even if the rest of the body is invalid. */
export function contentTextIn(body: unknown): string {
  const content: unknown = Object(body).content;
  const texts: unknown[] = Array.isArray(content) ? content.map((item) => Object(item).text) : [];
  return texts.find((text) => typeof text === 'string') ?? '';
}

import { z } from 'zod';
import { replicateError } from './replicate-error.ts';

const Text = z.string();
const Seed = z.int().nullish();

/** Models ignore unknown fields, as Cog does. */
const common = {
  prompt: Text.min(1),
  negative_prompt: Text.nullish(),
  seed: Seed,
};

const Shape = z.enum(['16:9', '9:16', '1:1', '4:3', '3:4', '21:9']).optional();

const video = z.object({
  ...common,
  aspect_ratio: Shape,
  // The format depends on the model: `1280*720` or `720p`.
  size: Text.optional(),
  resolution: z.enum(['480p', '720p', '1080p']).optional(),
  duration: z.union([z.literal(5), z.literal(10)]).optional(),
});

const imageVideo = video.extend({ image: Text.min(1) });

export interface ReplicateModel {
  name: string;
  kind: 'video' | 'image';
  version: string;
  input: z.ZodType<ReplicateInput>;
}

interface ReplicateInput {
  prompt: string;
  aspect_ratio?: string | undefined;
  duration?: number | undefined;
  num_outputs?: number | undefined;
  seed?: number | null | undefined;
  image?: string | undefined;
}

const MODELS: readonly ReplicateModel[] = [
  { name: 'wan-video/wan-2.5-t2v', kind: 'video', version: 'a1'.repeat(32), input: video },
  { name: 'wan-video/wan-2.5-i2v', kind: 'video', version: 'b2'.repeat(32), input: imageVideo },
  {
    name: 'black-forest-labs/flux-schnell',
    kind: 'image',
    version: 'c3'.repeat(32),
    input: z.object({
      ...common,
      aspect_ratio: Shape,
      num_outputs: z.int().min(1).max(4).optional(),
      output_format: z.enum(['webp', 'jpg', 'png']).optional(),
      image: Text.optional(),
    }),
  },
];

/** @throws WireError 404 for an unknown model. */
export function modelNamed(name: string): ReplicateModel {
  const match = MODELS.find((model) => model.name === name);
  if (match) return match;
  throw replicateError(404, 'Not Found', `The model ${name} could not be found.`);
}

/**
 * @param version 64 digits, optionally after `owner/name:`.
 * @throws WireError 422 for an unknown version.
 */
export function modelOfVersion(version: string): ReplicateModel {
  const match = MODELS.find((model) => version === model.version || version === `${model.name}:${model.version}`);
  if (match) return match;
  const problem = 'The specified version does not exist (or perhaps you don’t have permission to use it?)';
  throw replicateError(422, 'Invalid version or not permitted', problem);
}

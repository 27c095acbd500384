import { z } from 'zod';
import { checkBody } from '../../schema/check-body.ts';
import { readScene, type Scene, SceneContent, type SceneModel, type SceneVendor } from '../media/content-scene.ts';
import { frameOfArea, shapeOf } from '../media/frame-of-area.ts';
import type { MediaParams } from '../media/media-params.ts';
import { badRequest, explainV2 } from './v2-error.ts';

const Body = z.strictObject({
  model: z.string(),
  content: SceneContent,
  resolution: z.enum(['480P', '768P', '2K']).optional(),
  duration: z.int().default(5),
  ratio: z.enum(['adaptive', '21:9', '16:9', '4:3', '1:1', '3:4', '9:16']).optional(),
  aigc_watermark: z.boolean().optional(),
  callback_url: z.url().optional(),
  extra: z.looseObject({}).optional(),
});

type Body = z.output<typeof Body>;
type Resolution = NonNullable<Body['resolution']>;

/** @ai-sdk/minimax 3.0.45. */
interface V2Model extends SceneModel {
  /** The default is the last. */
  resolutions: readonly Resolution[];
  minSeconds: number;
}

const H3: V2Model = {
  resolutions: ['768P', '2K'],
  minSeconds: 4,
  frames: 2,
  references: { images: 9, videos: 3, audios: 3 },
  needsImage: false,
};

const MODELS: Readonly<Record<string, V2Model>> = {
  'MiniMax-H3': H3,
  'MiniMax-H3-Max': {
    ...H3,
    resolutions: ['480P', '768P'],
    minSeconds: 5,
    references: { images: 0, videos: 0, audios: 0 },
  },
};
const MAX_SECONDS = 15;
const MAX_CHARACTERS = 7000;

/** Pixels of a 16:9 video (@ai-sdk/minimax 3.0.45; MiniMax does not document them). */
const AREAS: Readonly<Record<Resolution, number>> = { '480P': 854 * 480, '768P': 1366 * 768, '2K': 2560 * 1440 };

const VENDOR: SceneVendor = {
  images: {
    encodings: ['data-url'],
    schemes: ['mm_file://'],
    types: ['image/png', 'image/jpeg', 'image/webp'],
    maxBytes: 30 * 1024 ** 2,
    minSide: 300,
    maxRatio: 2.5,
  },
  refuse: (problem) => badRequest(`content: ${problem}`),
};

function problemOf({ content, duration, ratio }: Body, { prompt }: Scene, model: V2Model): string | undefined {
  if (prompt === '') return 'content: a text is required';
  if (prompt.length > MAX_CHARACTERS) return `content: the text may have ${MAX_CHARACTERS} characters`;
  if (duration < model.minSeconds || duration > MAX_SECONDS) {
    return `duration must be from ${model.minSeconds} to ${MAX_SECONDS}`;
  }
  const isText = content.length === 1;
  return isText && (ratio === undefined || ratio === 'adaptive')
    ? 'ratio is required for text alone, and not adaptive'
    : undefined;
}

export function v2Params(body: unknown): MediaParams {
  const read = checkBody(Body, body, explainV2);
  const model = MODELS[read.model];
  if (model === undefined) throw badRequest(`unsupported model: ${read.model}`);
  const scene = readScene(read.content, model, VENDOR);
  const problem = problemOf(read, scene, model);
  if (problem !== undefined) throw badRequest(problem);
  const { resolution = model.resolutions.at(-1) ?? '768P', duration, ratio } = read;
  if (!model.resolutions.includes(resolution))
    throw badRequest(`resolution ${resolution} is not supported by this model`);
  const { prompt, inputs, facts, isFramed } = scene;
  // Frames override the requested ratio.
  const shape = (isFramed ? undefined : shapeOf(ratio ?? '')) ?? facts ?? { width: 16, height: 9 };
  return {
    kind: 'video',
    model: read.model,
    prompt,
    seconds: duration,
    ...frameOfArea(shape, AREAS[resolution]),
    count: 1,
    path: 'v2',
    asked: { resolution, duration, ratio: isFramed ? 'adaptive' : (ratio ?? 'adaptive') },
    inputs,
  };
}

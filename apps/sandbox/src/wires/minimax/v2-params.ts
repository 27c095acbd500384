import { findModel, MINIMAX_VIDEOS_V2 } from '@sluice/vendors';
import { z } from 'zod';
import { resolutionsOf, secondsOf } from '../media/catalog-model.ts';
import { checkBody } from '../../schema/check-body.ts';
import { readScene, type Scene, SceneContent, type SceneModel, type SceneVendor } from '../media/content-scene.ts';
import { frameOfArea, shapeOf, WIDE } from '../media/frame-of-area.ts';
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

interface V2Model extends SceneModel {
  /** The supported resolutions. The last one is the default. */
  resolutions: readonly string[];
  seconds: readonly number[];
  maxPrompt: number;
}

function modelOf(name: string): V2Model | undefined {
  const model = ['MiniMax-H3', 'MiniMax-H3-Max'].includes(name) ? findModel(MINIMAX_VIDEOS_V2, name) : undefined;
  if (model === undefined) return undefined;
  // Stricter than the catalog: H3-Max does not accept references (@ai-sdk/minimax 3.0.45).
  const images = name === 'MiniMax-H3-Max' ? 0 : (model.images.reference ?? 0);
  const clips = images === 0 ? 0 : 3;
  return {
    resolutions: resolutionsOf(model),
    seconds: secondsOf(model),
    maxPrompt: model.maxPrompt ?? Infinity,
    frames: 2,
    references: { images, videos: clips, audios: clips },
    needsImage: false,
  };
}

/** Pixels of a 16:9 video (@ai-sdk/minimax 3.0.45). The MiniMax docs do not specify them. */
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
  if (prompt.length > model.maxPrompt) return `content: the text may have ${model.maxPrompt} characters`;
  if (!model.seconds.includes(duration)) {
    return `duration must be from ${model.seconds[0]} to ${model.seconds.at(-1)}`;
  }
  const needsRatio = content.length === 1 && (ratio === undefined || ratio === 'adaptive');
  return needsRatio ? 'ratio is required for text alone, and not adaptive' : undefined;
}

export function v2Params(body: unknown): MediaParams {
  const read = checkBody(Body, body, explainV2);
  const model = modelOf(read.model);
  if (model === undefined) throw badRequest(`unsupported model: ${read.model}`);
  const scene = readScene(read.content, model, VENDOR);
  const problem = problemOf(read, scene, model);
  if (problem !== undefined) throw badRequest(problem);
  const { duration, ratio } = read;
  const defaultResolution = model.resolutions.at(-1) === '2K' ? '2K' : '768P';
  const { resolution = defaultResolution } = read;
  const isSupported = model.resolutions.includes(resolution);
  if (!isSupported) throw badRequest(`resolution ${resolution} is not supported by this model`);
  const { prompt, inputs, facts, isFramed } = scene;
  // Frames override the requested ratio.
  const shape = (isFramed ? undefined : shapeOf(ratio ?? '')) ?? facts ?? WIDE;
  return {
    kind: 'video',
    model: read.model,
    prompt,
    seconds: duration,
    ...frameOfArea(shape, AREAS[resolution]),
    count: 1,
    path: 'v2',
    requestFields: { resolution, duration, ratio: isFramed ? 'adaptive' : (ratio ?? 'adaptive') },
    inputs,
  };
}

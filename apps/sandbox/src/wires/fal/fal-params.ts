import type { MediaParams } from '../media/media-params.ts';
import { type ImageRules, type ReadImage, readImage } from '../media/read-image.ts';
import { textIn } from '../media/text-in.ts';
import { explainInput } from './explain-input.ts';
import { falProblem, type FalProblem } from './fal-error.ts';
import { appOf, type FalModel, modelNamed } from './fal-models.ts';

export interface FalRefusal {
  status: 404 | 422;
  detail: string | FalProblem[];
}

export type FalReading = { params: MediaParams } | { refusal: FalRefusal };

/** Accepts any image. The limits are checked separately, because fal has its own messages for them. */
const ANY_IMAGE: ImageRules = {
  encodings: ['data-url'],
  types: ['image/png', 'image/jpeg', 'image/webp', 'image/gif'],
  maxBytes: Number.POSITIVE_INFINITY,
  minSide: 1,
  maxRatio: Number.POSITIVE_INFINITY,
};

function problemOf(input: string, read: ReadImage, limits: FalModel['image']): FalProblem | undefined {
  const problem = (type: string, msg: string, ctx?: Record<string, unknown>) =>
    falProblem(type, msg, { at: ['image_url'], ctx, input });
  if ('problem' in read) {
    const isData = input.startsWith('data:');
    return isData
      ? problem('image_load_error', 'Image load error')
      : problem('file_download_error', 'File download error');
  }
  const { facts } = read;
  if (facts === undefined || limits === undefined) return undefined;
  const { maxBytes, minSide, maxRatio } = limits;
  const [short, long] = [Math.min(facts.width, facts.height), Math.max(facts.width, facts.height)];
  if ((read.input.bytes ?? 0) > maxBytes) return problem('file_too_large', 'File too large', { max_size: maxBytes });
  if (short < minSide)
    return problem('image_too_small', 'Image too small', { min_height: minSide, min_width: minSide });
  if (long <= short * maxRatio) return undefined;
  return problem('image_aspect_ratio_error', `Image ratio beyond 1:${maxRatio}`);
}

function readInput(model: FalModel, body: unknown): FalReading {
  const parsed = model.input.safeParse(body);
  if (!parsed.success) return { refusal: { status: 422, detail: explainInput(parsed.error, body) } };
  const input = parsed.data;
  const { image_url: url } = input;
  const image = url === undefined ? undefined : readImage('image_url', url, ANY_IMAGE);
  const problem = url === undefined || image === undefined ? undefined : problemOf(url, image, model.image);
  if (problem !== undefined) return { refusal: { status: 422, detail: [problem] } };
  const imageInput = image !== undefined && 'input' in image ? image : undefined;
  const params: MediaParams = {
    kind: model.kind,
    model: model.name,
    prompt: input.prompt,
    seconds: Number.parseInt(input.duration ?? model.defaultDuration ?? '0', 10),
    ...model.frame(input, imageInput?.facts),
    count: input.num_images ?? 1,
    seed: input.seed ?? undefined,
    path: appOf(model.name),
    inputs: imageInput === undefined ? [] : [imageInput.input],
  };
  return { params: input.sync_mode === true ? { ...params, requestFields: { sync_mode: true } } : params };
}

export function readFalInput(name: string, body: unknown): FalReading {
  const model = modelNamed(name);
  if (model !== undefined) return readInput(model, body);
  const path = name.slice(appOf(name).length) || '/';
  return { refusal: { status: 404, detail: `Path ${path} not found` } };
}

export function refusedParams(name: string, body: unknown, refusal: FalRefusal): MediaParams {
  return {
    kind: modelNamed(name)?.kind ?? 'video',
    model: name,
    prompt: textIn(body, 'prompt'),
    seconds: 0,
    width: 16,
    height: 16,
    count: 1,
    path: appOf(name),
    requestFields: { refusal },
    inputs: [],
  };
}

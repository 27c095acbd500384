import {
  type ImageRequest,
  type MediaField,
  type MediaLossReport,
  type Review,
  UnsupportedParamsError,
} from '@sluice/canonical';
import { countOf, dropFields, limitImages, megabytes, promptOf } from '../media/limit-params.ts';
import { imageFamilyOf } from './image-families.ts';
import { sizeOf } from './image-size.ts';

/** What the wire has no field for; vendors that have one take it from the metadata, under this name. */
const UNSAID: readonly [MediaField, string][] = [
  ['negativePrompt', 'negative_prompt'],
  ['seed', 'seed'],
  ['watermark', 'watermark'],
  ['promptExtend', 'prompt_extend'],
];
const ANY = { max: Infinity, maxPromptLength: Infinity, images: { reference: Infinity, mask: 1 }, hasFormats: true };

/** OpenAI docs, "Create image edit": less than 50 MB. */
export const PICTURES = { maxBytes: megabytes(50) };

/** What is asked for, by the names of the wire. */
export interface ImagePlan extends Review {
  prompt: string;
  n?: number;
  size?: string;
  quality?: string;
  background?: string;
  output_format?: string;
  response_format?: 'b64_json';
}

/** Works out what is asked for; a model of unknown name is asked for what the client wished. @throws {UnsupportedParamsError} */
export function planImage(model: string, request: ImageRequest, report: MediaLossReport): ImagePlan {
  const family = imageFamilyOf(model);
  const { max, maxPromptLength, images, hasFormats } = family ?? ANY;
  limitImages(request.images, images, PICTURES);
  if (request.images.length > 0 && request.images.every(({ role }) => role === 'mask')) {
    throw new UnsupportedParamsError('mask', 'needs a picture that is to be edited');
  }
  const prompt = promptOf(request, maxPromptLength);
  const { metadata = {}, n, quality, background, outputFormat } = request;
  dropFields(
    request,
    UNSAID.filter(([, name]) => !(name in metadata)).map(([field]) => field),
    report,
  );
  if (!hasFormats) dropFields(request, ['background', 'outputFormat'], report);
  const size = sizeOf(request, family, report);
  return {
    prompt,
    ...(n !== undefined && { n: countOf(request, max, report) }),
    ...(size !== undefined && { size }),
    ...(quality !== undefined && { quality }),
    ...(hasFormats && background !== undefined && { background }),
    ...(hasFormats && outputFormat !== undefined && { output_format: outputFormat }),
    ...(family?.requestsBytes === true && { response_format: 'b64_json' }),
  };
}

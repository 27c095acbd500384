import type { FastifyRequest } from 'fastify';
import { type MediaJob, unixSeconds } from '../../jobs/media-job.ts';
import { countTokens } from '../../text/word-tokens.ts';
import type { MediaVendor } from '../media/media-vendor.ts';
import { renderOutput } from '../media/render-output.ts';
import { createResultUrls, type UrlLife } from '../media/result-urls.ts';
import { familyOf } from './image-families.ts';

/** "URLs are only valid for 60 minutes after the image has been generated" (openai 7.55.0, `response_format`). */
const LIFE: UrlLife = { lifeMs: 3600 * 1000, since: 'end' };
const PIXELS_PER_TOKEN = 1000;
const TOKENS_PER_INPUT = 256;

export function isInline({ model, requestFields }: MediaJob): boolean {
  return familyOf(model).base64Only === true || requestFields?.['response_format'] === 'b64_json';
}

function usageOf({ prompt, inputs, width, height }: MediaJob, count: number) {
  const [text, image] = [countTokens(prompt), inputs.length * TOKENS_PER_INPUT];
  const output = Math.ceil((width * height) / PIXELS_PER_TOKEN) * count;
  return {
    input_tokens: text + image,
    input_tokens_details: { text_tokens: text, image_tokens: image },
    output_tokens: output,
    total_tokens: text + image + output,
  };
}

export function imagesResponse(
  vendor: MediaVendor,
  request: FastifyRequest,
  job: MediaJob,
  outputs: readonly number[],
): object {
  const { revises, base64Only } = familyOf(job.model);
  const created = unixSeconds(job.createdAt);
  const files = outputs.map((index) => ({ index, kind: 'png' as const }));
  const images = isInline(job)
    ? files.map(({ index }) => ({ b64_json: renderOutput(vendor.archive, job, index, 'png').bytes.toString('base64') }))
    : createResultUrls(vendor, request, job, LIFE, files).urls.map((url) => ({ url }));
  const data = images.map((image) => Object.assign(image, revises && { revised_prompt: job.prompt }));
  if (!base64Only) return { created, data };
  const { background = 'auto', quality = 'auto' } = job.requestFields ?? {};
  return {
    created,
    background: background === 'auto' ? 'opaque' : background,
    data,
    output_format: 'png',
    quality: quality === 'auto' ? 'high' : quality,
    size: `${job.width}x${job.height}`,
    usage: usageOf(job, outputs.length),
  };
}

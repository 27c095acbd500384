import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type MediaJob, startOf } from '../../jobs/media-job.ts';
import { hasDirective } from '../../directives/media-directives.ts';
import type { MediaVendor } from '../media/media-vendor.ts';
import { type OutputKind, renderOutput } from '../media/render-output.ts';
import { createResultUrls } from '../media/result-urls.ts';
import type { FinishedState } from '../media/send-when-finished.ts';
import { falProblem, flagged, modelError, refusalError, requestError, unsupported } from './fal-error.ts';

const RequestFields = z.object({
  /** The model's error, which is returned instead of a result. */
  refusal: z.object({ status: z.number(), detail: z.unknown() }).optional(),
  /** Whether images are returned as data URLs. */
  sync_mode: z.boolean().optional(),
  life_seconds: z.number().optional(),
});

export function isInline(job: MediaJob): boolean {
  return job.kind === 'image' && RequestFields.parse(job.requestFields ?? {}).sync_mode === true;
}

function refuse(job: MediaJob, state: FinishedState): void {
  const input = { prompt: job.prompt };
  const { refusal } = RequestFields.parse(job.requestFields ?? {});
  if (job.canceledAt !== undefined) throw requestError(499, 'client_cancelled', 'Request was cancelled');
  if (refusal !== undefined) throw refusalError(refusal);
  if (hasDirective(job.prompt, 'refused')) throw modelError(422, [unsupported()]);
  if (state.status === 'failed') {
    if (state.cause === 'moderation') throw modelError(422, [flagged(job.prompt)]);
    throw modelError(500, [falProblem('internal_server_error', 'Internal server error', { input })]);
  }
  if (state.outputs.length > 0) return;
  // fal docs, "Model Errors": "the generation completed successfully but the model did not produce any media output".
  const msg = 'The model did not generate the expected output for this prompt.';
  throw modelError(422, [falProblem('no_media_generated', msg, { input })]);
}

function randomSeed(job: MediaJob): number {
  return Number.parseInt(job.id.slice(0, 8), 16);
}

/**
 * Formats `{video}` or `{images, …}` (@fal-ai/client 1.10.1, `I2VOutput` and `unoOutput`).
 * @throws WireError if the job failed.
 */
export function requestResult(vendor: MediaVendor, request: FastifyRequest, job: MediaJob, state: FinishedState) {
  refuse(job, state);
  const outputs = state.status === 'completed' ? state.outputs : [];
  const kind: OutputKind = job.kind === 'video' ? 'mp4' : 'png';
  const rendered = outputs.map((index) => ({ index, kind, file: renderOutput(vendor.archive, job, index, kind) }));
  const { life_seconds: seconds = 0 } = RequestFields.parse(job.requestFields ?? {});
  const urls = isInline(job)
    ? rendered.map(({ file }) => `data:${file.mediaType};base64,${file.bytes.toString('base64')}`)
    : createResultUrls(vendor, request, job, { lifeMs: seconds * 1000, since: 'end' }, rendered).urls;
  const files = rendered.map(({ index, file }, at) => ({
    url: urls[at],
    content_type: file.mediaType,
    file_name: `${job.id}-${index}.${kind}`,
    file_size: file.bytes.length,
  }));
  if (job.kind === 'video') return { video: files[0] };
  const { width, height } = job;
  return {
    images: files.map(({ url, content_type }) => ({ url, width, height, content_type })),
    timings: { inference: Math.max(0, state.completedAt - startOf(job)) / 1000 },
    seed: job.seed ?? randomSeed(job),
    has_nsfw_concepts: files.map(() => false),
    prompt: job.prompt,
  };
}

import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendFile } from '../../http/send-file.ts';
import { consumeDirective } from '../../jobs/consume-directive.ts';
import { jobState, type MediaJob } from '../../jobs/media-job.ts';
import type { MediaVendor } from '../media/media-vendor.ts';
import { renderOutput } from '../media/render-output.ts';
import { invalidValue, openAiError } from '../openai-style/openai-error.ts';
import { contentExpiry } from './video-object.ts';

/** @throws WireError 404 before completion, 410 after expiry, 400 for variants other than the video. */
export function sendContent(
  vendor: MediaVendor,
  job: MediaJob,
  request: FastifyRequest<{ Querystring: { variant?: unknown } }>,
  reply: FastifyReply,
): FastifyReply {
  const { variant = 'video' } = request.query;
  if (variant !== 'video') throw invalidValue('variant', "Invalid value for 'variant': only 'video' is made here.");
  const now = vendor.now();
  const state = jobState(job, now);
  if (state.status !== 'completed') {
    const message = 'Video is not ready yet, use GET /v1/videos/{video_id} to check status.';
    throw openAiError(404, message, { param: 'video_id', code: 'video_not_ready' });
  }
  if (now >= contentExpiry(job, state.completedAt)) {
    throw openAiError(410, 'The content of this video has expired.', { code: 'content_expired' });
  }
  const cut = request.method === 'GET' && consumeDirective(vendor.ledger, 'cut', job, job.id);
  return sendFile(request, reply, renderOutput(vendor.archive, job, 0, 'mp4'), cut);
}

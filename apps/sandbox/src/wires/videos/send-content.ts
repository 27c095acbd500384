import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendFile } from '../../http/send-file.ts';
import { jobState, type VideoJob } from '../../jobs/video-job.ts';
import { CUT_DOWNLOADS, hasWord, PROMPT_WORDS } from '../../prompt-words.ts';
import { invalidValue, VendorError } from './vendor-error.ts';
import type { VideosVendor } from './videos-vendor.ts';

/**
 * `GET` and `HEAD /v1/videos/{id}/content`: the film once it is complete.
 * @throws VendorError 404 before that, 410 once it has expired, 400 for a variant other than the video.
 */
export function sendContent(
  vendor: VideosVendor,
  job: VideoJob,
  request: FastifyRequest<{ Querystring: { variant?: unknown } }>,
  reply: FastifyReply,
): FastifyReply {
  const { variant = 'video' } = request.query;
  if (variant !== 'video') throw invalidValue('variant', "Invalid value for 'variant': only 'video' is made here.");
  const now = vendor.now();
  const state = jobState(job, now);
  if (state.status !== 'completed') {
    const message = 'Video is not ready yet, use GET /v1/videos/{video_id} to check status.';
    throw new VendorError(404, message, { param: 'video_id', code: 'video_not_ready' });
  }
  if (now >= state.expiresAt) {
    throw new VendorError(410, 'The content of this video has expired.', { code: 'content_expired' });
  }
  const { prompt, width, height } = job;
  const { bytes, sha256 } = vendor.films.open({ prompt, seconds: Number(job.seconds), width, height });
  const cut =
    request.method === 'GET' &&
    hasWord(prompt, 'cut') &&
    vendor.ledger.takeFault(job.id, PROMPT_WORDS.cut.word, CUT_DOWNLOADS);
  return sendFile(request, reply, { bytes, mediaType: 'video/mp4', etag: sha256 }, cut);
}

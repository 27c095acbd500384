import type { FastifyReply, FastifyRequest } from 'fastify';
import { jobState, type MediaJob } from '../../jobs/media-job.ts';
import type { MediaWire } from '../media/media-wire.ts';
import { textIn } from '../media/text-in.ts';
import { invalidValue } from '../openai-style/openai-error.ts';
import { videoObject } from './video-object.ts';

/** `POST /v1/videos/{id}/remix`: a variation of a completed video, with the same length and size. */
export async function remixVideo(
  wire: MediaWire,
  original: MediaJob,
  request: FastifyRequest,
  reply: FastifyReply,
  now: number,
): Promise<FastifyReply> {
  const prompt = textIn(request.body, 'prompt');
  return wire.submit(request, reply, {
    prompt,
    read() {
      if (prompt === '') throw invalidValue('prompt', "Missing required parameter: 'prompt'.");
      if (jobState(original, now).status !== 'completed') {
        throw invalidValue('video_id', 'The video is not completed, so it cannot be remixed.');
      }
      const { kind, count, model, seconds, width, height, id } = original;
      return { kind, count, model, prompt, seconds, width, height, path: id, inputs: [] };
    },
    response: (job) => videoObject(job, job.createdAt),
  });
}

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { VideoJob } from '../../jobs/video-job.ts';
import { hasWord, REFUSED_SUBMISSIONS, slowSeconds } from '../../prompt-words.ts';
import { parseWish, type VideoWish } from './parse-wish.ts';
import { readForm, type VideoForm } from './read-form.ts';
import { VendorError } from './vendor-error.ts';
import { videoObject } from './video-object.ts';
import type { VideosVendor } from './videos-vendor.ts';

const THROTTLED = 'rate_limit_exceeded';

/** The caller's own name for the work, the same however often it submits; else its prompt. */
function taskOf(request: FastifyRequest, prompt: string): string {
  const named = request.headers['x-client-request-id'];
  return typeof named === 'string' && named !== '' ? named : prompt;
}

/** Throws where a word in the prompt has the vendor refuse. */
function refuseByWord({ ledger }: VideosVendor, task: string, prompt: string): void {
  if (hasWord(prompt, 'moderation')) {
    const message = 'Your request was blocked by our moderation system.';
    throw new VendorError(400, message, { param: 'prompt', code: 'moderation_blocked' });
  }
  if (hasWord(prompt, 'throttled') && ledger.refusals(task, THROTTLED) < REFUSED_SUBMISSIONS) {
    const headers = { 'retry-after': '1' };
    throw new VendorError(429, 'Rate limit reached for videos.', { type: 'requests', code: THROTTLED, headers });
  }
}

function newJob(vendor: VideosVendor, task: string, wish: VideoWish, form: VideoForm): VideoJob {
  const slow = slowSeconds(wish.prompt);
  return {
    id: `video_${vendor.newId()}`,
    task,
    ...wish,
    createdAt: vendor.now(),
    renderMs: slow === undefined ? vendor.renderMs : slow * 1000,
    inputs: form.inputs,
  };
}

/**
 * `POST /v1/videos`: reads, checks, records, then answers; a refusal is counted too. With `[lost-reply]` the
 * connection dies instead of the answer.
 */
export async function createVideo(
  vendor: VideosVendor,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const form = await readForm(request);
  const given = form.fields.get('prompt');
  const prompt = typeof given === 'string' ? given : '';
  const task = taskOf(request, prompt);
  try {
    const wish = parseWish(form.fields);
    refuseByWord(vendor, task, prompt);
    const job = newJob(vendor, task, wish, form);
    vendor.ledger.accept(job);
    if (!hasWord(prompt, 'lostReply')) return await reply.send(videoObject(job, job.createdAt));
    reply.hijack();
    request.raw.socket.destroy();
    return reply;
  } catch (error) {
    if (error instanceof VendorError && task !== '') vendor.ledger.refuse({ task, prompt, reason: error.code });
    throw error;
  }
}

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { MediaWire } from '../media/media-wire.ts';
import { parseParams } from './parse-params.ts';
import { readForm } from './read-form.ts';
import { videoObject } from './video-object.ts';

export async function createVideo(
  wire: MediaWire,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const form = await readForm(request);
  const given = form.fields.get('prompt');
  return wire.submit(request, reply, {
    prompt: typeof given === 'string' ? given : '',
    read: () => ({ kind: 'video', count: 1, ...parseParams(form.fields), inputs: form.inputs }),
    response: (job) => videoObject(job, job.createdAt),
  });
}

import multipart from '@fastify/multipart';
import type { FastifyInstance } from 'fastify';
import { carriesBearerKey } from '../../http/bearer-key.ts';
import type { MediaVendor } from '../media/media-vendor.ts';
import { type OneJob, openMediaWire } from '../media/media-wire.ts';
import { parseParams } from './parse-params.ts';
import { readForm } from './read-form.ts';
import { remixVideo } from './remix-video.ts';
import { sendContent } from './send-content.ts';
import { formatVideosError } from './format-videos-error.ts';
import { openAiError } from '../openai-style/openai-error.ts';
import { listObject, type ListQuery, pageOfList } from '../openai-style/page-of-list.ts';
import { videoObject } from './video-object.ts';

const FORM_LIMITS = { fileSize: 1024 ** 3, fieldSize: 64 * 1024 ** 2, files: 16, parts: 128 };

export async function registerVideos(scope: FastifyInstance, vendor: MediaVendor): Promise<void> {
  await scope.register(multipart, { limits: FORM_LIMITS });
  const wire = openMediaWire(scope, vendor, {
    wire: 'videos',
    format: formatVideosError,
    jobId: (unique) => `video_${unique}`,
    // A video is in the list before the response to its creation is sent.
    hasLag: false,
    authenticate({ headers }) {
      if (carriesBearerKey(headers.authorization, vendor.apiKey)) return;
      throw openAiError(401, 'Incorrect API key provided.', { code: 'invalid_api_key' });
    },
  });

  scope.post('/videos', async (request, reply) => {
    const { fields, inputs } = await readForm(request);
    const prompt = fields.get('prompt');
    return wire.submit(request, reply, {
      prompt: typeof prompt === 'string' ? prompt : '',
      read: () => ({ kind: 'video', count: 1, ...parseParams(fields), inputs }),
      response: (job) => videoObject(job, job.createdAt),
    });
  });

  scope.post<OneJob>('/videos/:id/remix', (request, reply) =>
    remixVideo(wire, wire.find(request.params.id), request, reply, vendor.now()),
  );

  scope.get<ListQuery>('/videos', ({ query }, reply) => {
    const page = pageOfList(wire.jobs(), query, { max: 100, otherwise: 20 });
    const now = vendor.now();
    return reply.send(listObject(page, (job) => videoObject(job, now)));
  });

  scope.get<OneJob>('/videos/:id', (request, reply) => {
    const job = wire.find(request.params.id);
    return wire.poll(job, reply, {
      response: () => videoObject(job, vendor.now()),
      garbled: () => ({ id: job.id, object: 'video', status: 'NOT_START', progress: '12%' }),
    });
  });

  scope.route<OneJob & { Querystring: { variant?: unknown } }>({
    method: ['GET', 'HEAD'],
    url: '/videos/:id/content',
    exposeHeadRoute: false,
    handler: (request, reply) => sendContent(vendor, wire.find(request.params.id), request, reply),
  });

  // Deleting a running job cancels it, as the vendors that support it do.
  scope.delete<OneJob>('/videos/:id', (request, reply) => {
    const job = wire.find(request.params.id);
    wire.remove(job);
    return reply.send({ id: job.id, object: 'video.deleted', deleted: true });
  });
}

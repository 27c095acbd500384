import multipart from '@fastify/multipart';
import type { FastifyInstance } from 'fastify';
import { carriesBearerKey } from '../../http/bearer-key.ts';
import type { MediaVendor } from '../media/media-vendor.ts';
import { createMediaWire } from '../media/media-wire.ts';
import { openMediaScope } from '../media/open-media-scope.ts';
import { createVideo } from './create-video.ts';
import { pageOfJobs } from './list-videos.ts';
import { remixVideo } from './remix-video.ts';
import { sendContent } from './send-content.ts';
import { formatVideosError } from './format-videos-error.ts';
import { openAiError } from '../openai-style/openai-error.ts';
import { videoObject } from './video-object.ts';

const FORM_LIMITS = { fileSize: 1024 ** 3, fieldSize: 64 * 1024 ** 2, files: 16, parts: 128 };

interface OneVideo {
  Params: { id: string };
}

export async function registerVideos(scope: FastifyInstance, vendor: MediaVendor): Promise<void> {
  await scope.register(multipart, { limits: FORM_LIMITS });
  openMediaScope(scope, {
    format: formatVideosError,
    authenticate(request) {
      if (carriesBearerKey(request.headers.authorization, vendor.apiKey)) return;
      throw openAiError(401, 'Incorrect API key provided.', { code: 'invalid_api_key' });
    },
  });
  // A video is listed before its creation is answered.
  const wire = createMediaWire(vendor, {
    wire: 'videos',
    format: formatVideosError,
    jobId: (unique) => `video_${unique}`,
    hasLag: false,
  });

  scope.post('/videos', (request, reply) => createVideo(wire, request, reply));

  scope.post<OneVideo>('/videos/:id/remix', (request, reply) =>
    remixVideo(wire, wire.find(request.params.id), request, reply, vendor.now()),
  );

  scope.get<{ Querystring: Record<string, unknown> }>('/videos', (request, reply) => {
    const { jobs, hasMore } = pageOfJobs(wire.jobs(), new Map(Object.entries(request.query)));
    const now = vendor.now();
    const ends = { first_id: jobs.at(0)?.id ?? null, last_id: jobs.at(-1)?.id ?? null };
    return reply.send({ object: 'list', data: jobs.map((job) => videoObject(job, now)), ...ends, has_more: hasMore });
  });

  scope.get<OneVideo>('/videos/:id', (request, reply) => {
    const job = wire.find(request.params.id);
    return wire.poll(job, reply, {
      response: () => videoObject(job, vendor.now()),
      garbled: () => ({ id: job.id, object: 'video', status: 'NOT_START', progress: '12%' }),
    });
  });

  scope.route<OneVideo & { Querystring: { variant?: unknown } }>({
    method: ['GET', 'HEAD'],
    url: '/videos/:id/content',
    exposeHeadRoute: false,
    // Fastify's name for a route's handler.
    handler: (request, reply) => sendContent(vendor, wire.find(request.params.id), request, reply),
  });

  // Deletion cancels a running job, as capable vendors do.
  scope.delete<OneVideo>('/videos/:id', (request, reply) => {
    const job = wire.find(request.params.id);
    wire.remove(job);
    return reply.send({ id: job.id, object: 'video.deleted', deleted: true });
  });
}

import multipart from '@fastify/multipart';
import type { FastifyError, FastifyInstance } from 'fastify';
import { carriesBearerKey } from '../../http/bearer-key.ts';
import { jobState, type VideoJob } from '../../jobs/video-job.ts';
import { createVideo } from './create-video.ts';
import { pageOfJobs } from './list-videos.ts';
import { retrieveVideo } from './retrieve-video.ts';
import { sendContent } from './send-content.ts';
import { VendorError, videoNotFound } from './vendor-error.ts';
import { videoObject } from './video-object.ts';
import type { VideosVendor } from './videos-vendor.ts';

const FORM_LIMITS = { fileSize: 1024 ** 3, fieldSize: 64 * 1024 ** 2, files: 16, parts: 128 };

interface OneVideo {
  Params: { id: string };
}

/** Puts whatever went wrong into the vendor's shape. */
function toVendorError(error: unknown): VendorError {
  if (error instanceof VendorError) return error;
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  if (error instanceof Error && status < 500)
    return new VendorError(status, error.message, { code: 'invalid_request' });
  return new VendorError(500, 'The sandbox has a defect; see its log.', { type: 'server_error', code: 'server_error' });
}

/** Serves the OpenAI-style `/v1/videos` wire on a scope of its own, whose prefix is `/v1`. */
export async function registerVideos(scope: FastifyInstance, vendor: VideosVendor): Promise<void> {
  await scope.register(multipart, { limits: FORM_LIMITS });

  scope.setErrorHandler<FastifyError>((error, request, reply) => {
    const answer = toVendorError(error);
    // A caller that left has broken its own request: no defect.
    const ours = !(error instanceof VendorError) && !request.raw.socket.destroyed;
    if (answer.status >= 500 && ours) request.log.error(error);
    return reply.code(answer.status).headers(answer.headers).send(answer.body());
  });
  scope.setNotFoundHandler((request) => {
    throw new VendorError(404, `Invalid URL (${request.method} ${request.url})`, { code: 'not_found' });
  });
  scope.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    if (carriesBearerKey(request.headers.authorization, vendor.apiKey)) return;
    throw new VendorError(401, 'Incorrect API key provided.', { code: 'invalid_api_key' });
  });

  function find(id: string): VideoJob {
    const job = vendor.ledger.find(id);
    if (job === undefined) throw videoNotFound(id);
    return job;
  }

  scope.post('/videos', (request, reply) => createVideo(vendor, request, reply));

  scope.get<{ Querystring: Record<string, unknown> }>('/videos', (request, reply) => {
    const { jobs, hasMore } = pageOfJobs(vendor.ledger.jobs(), new Map(Object.entries(request.query)));
    const now = vendor.now();
    const ends = { first_id: jobs.at(0)?.id ?? null, last_id: jobs.at(-1)?.id ?? null };
    return reply.send({ object: 'list', data: jobs.map((job) => videoObject(job, now)), ...ends, has_more: hasMore });
  });

  scope.get<OneVideo>('/videos/:id', (request, reply) => retrieveVideo(vendor, find(request.params.id), reply));

  scope.route<OneVideo & { Querystring: { variant?: unknown } }>({
    method: ['GET', 'HEAD'],
    url: '/videos/:id/content',
    exposeHeadRoute: false,
    // Fastify calls a route's handler by that name.
    handler: (request, reply) => sendContent(vendor, find(request.params.id), request, reply),
  });

  // A running job is canceled by its deletion, as vendors that can do it do.
  scope.delete<OneVideo>('/videos/:id', (request, reply) => {
    const job = find(request.params.id);
    const { status } = jobState(job, vendor.now());
    vendor.ledger.remove(job.id, status === 'queued' || status === 'in_progress');
    return reply.send({ id: job.id, object: 'video.deleted', deleted: true });
  });
}

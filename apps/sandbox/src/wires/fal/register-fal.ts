import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isVisible, jobState, type MediaJob } from '../../jobs/media-job.ts';
import type { MediaVendor } from '../media/media-vendor.ts';
import { textIn } from '../media/text-in.ts';
import { falError, formatFalError } from './fal-error.ts';
import { readFalInput, refusedParams } from './fal-params.ts';
import { type EndpointParams, endpointOf, openFalWire } from './open-fal-wire.ts';
import { readLifeSeconds } from './request-headers.ts';
import { requestResult } from './request-result.ts';
import { requestStatus, requestUrls } from './request-status.ts';

interface OneRequest {
  Params: { owner: string; alias: string; id: string };
  Querystring: { logs?: string };
}

function createFalQueue(scope: FastifyInstance, vendor: MediaVendor) {
  const { ledger, now } = vendor;
  const wire = openFalWire(scope, vendor, {
    // Requests over the limit wait in the queue: "Requests are never dropped" (fal docs, "Concurrency Limits").
    overLimit: 'wait',
    deferredChecks: ['moderation', 'refused'],
  });

  function findInApp({ params: { owner, alias, id } }: FastifyRequest<OneRequest>): MediaJob | undefined {
    const job = ledger.find('fal', id);
    return job?.path === `${owner}/${alias}` && isVisible(job, now()) ? job : undefined;
  }

  function find(request: FastifyRequest<OneRequest>): MediaJob {
    const job = findInApp(request);
    if (job === undefined) throw formatFalError('not_found', request.params.id);
    return job;
  }

  function urlsOf(request: FastifyRequest<OneRequest | { Params: EndpointParams }>, job: MediaJob) {
    return requestUrls(`${request.protocol}://${request.host}${scope.prefix}`, job);
  }

  function ahead(job: MediaJob): number {
    const queued = ledger.unfinished('fal', now()).filter((other) => jobState(other, now()).status === 'queued');
    const position = queued.findIndex(({ id }) => id === job.id);
    return Math.max(0, position);
  }

  return { wire, find, findInApp, urlsOf, ahead };
}

type FalQueue = ReturnType<typeof createFalQueue>;

function registerEndpoints(scope: FastifyInstance, { wire, urlsOf, ahead }: FalQueue): void {
  for (const url of ['/:owner/:alias', '/:owner/:alias/*']) {
    scope.post<{ Params: EndpointParams }>(url, (request, reply) =>
      wire.submit(request, reply, {
        prompt: textIn(request.body, 'prompt'),
        read() {
          const name = endpointOf(request.params);
          const reading = readFalInput(name, request.body);
          const params = 'params' in reading ? reading.params : refusedParams(name, request.body, reading.refusal);
          return {
            ...params,
            requestFields: { ...params.requestFields, life_seconds: readLifeSeconds(request.headers) },
          };
        },
        response(job) {
          void reply.header('x-fal-request-id', job.id);
          return {
            status: 'IN_QUEUE',
            request_id: job.id,
            ...urlsOf(request, job),
            logs: null,
            metrics: {},
            queue_position: ahead(job),
          };
        },
      }),
    );
    // The URLs of requests contain only the owner and the alias. Endpoints accept only POST.
    scope.route({
      method: ['GET', 'PUT'],
      url,
      handler() {
        throw falError(405, 'Method Not Allowed');
      },
    });
  }
}

/**
 * Serves `queue.fal.run`. The queue accepts any input. If a model rejects it, the result contains the error. Webhooks
 * are never called.
 */
export function registerFal(scope: FastifyInstance, vendor: MediaVendor): void {
  const { now } = vendor;
  const queue = createFalQueue(scope, vendor);
  registerEndpoints(scope, queue);
  const { wire, find, findInApp, urlsOf, ahead } = queue;

  scope.get<OneRequest>('/:owner/:alias/requests/:id/status', (request, reply) => {
    const job = find(request);
    const toTask = () =>
      requestStatus(job, now(), {
        urls: urlsOf(request, job),
        ahead: ahead(job),
        logs: ['1', 'true'].includes(request.query.logs ?? ''),
      });
    void reply.header('x-fal-request-id', job.id);
    return wire.poll(job, reply, {
      response() {
        void reply.code('completedAt' in jobState(job, now()) ? 200 : 202);
        return toTask();
      },
      garbled: () => ({ ...toTask(), status: 'WARMING_UP' }),
    });
  });

  scope.get<OneRequest>('/:owner/:alias/requests/:id', (request, reply) => {
    const job = find(request);
    const state = jobState(job, now());
    void reply.header('x-fal-request-id', job.id);
    if (!('completedAt' in state)) {
      // The AI SDK continues to poll only if it receives exactly this message (@ai-sdk/fal 3.0.41, `fetchStatus`).
      const detail = 'Request is still in progress';
      return reply.code(400).send({ detail, request_id: job.id, ...urlsOf(request, job) });
    }
    return reply.send(requestResult(vendor, request, job, state));
  });

  // Source: fal docs, "Cancel a request".
  scope.put<OneRequest>('/:owner/:alias/requests/:id/cancel', (request, reply) => {
    const job = findInApp(request);
    if (job === undefined) return reply.code(404).send({ status: 'NOT_FOUND' });
    void reply.header('x-fal-request-id', job.id);
    if ('completedAt' in jobState(job, now())) return reply.code(400).send({ status: 'ALREADY_COMPLETED' });
    wire.cancel(job);
    return reply.code(202).send({ status: 'CANCELLATION_REQUESTED' });
  });
}

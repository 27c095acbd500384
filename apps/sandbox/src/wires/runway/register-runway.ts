import type { FastifyInstance, FastifyRequest } from 'fastify';
import { carriesBearerKey } from '../../http/bearer-key.ts';
import type { MediaVendor } from '../media/media-vendor.ts';
import { type OneJob, openMediaWire } from '../media/media-wire.ts';
import { outputUrlsOf, type UrlLife } from '../media/result-urls.ts';
import { textIn } from '../media/text-in.ts';
import { runwayError, formatRunwayError } from './runway-error.ts';
import { estimatedCost, runwayTask } from './runway-task.ts';
import { RUNWAY_CALLS } from './runway-params.ts';

/** "These URLs will expire within 24-48 hours; fetch the task again to get fresh URLs" (@runwayml/sdk 4.20.1). */
const LIFE: UrlLife = { lifeMs: 24 * 3600 * 1000, since: 'request' };
const VERSION = '2024-11-06';

function checkCall({ headers }: FastifyRequest, apiKey: string): void {
  if (!carriesBearerKey(headers.authorization, apiKey)) throw runwayError(401, 'The API key provided is not valid.');
  const version = headers['x-runway-version'];
  if (version === undefined) throw runwayError(400, 'The X-Runway-Version header is required.');
  if (version !== VERSION) throw runwayError(400, `The X-Runway-Version header must be ${VERSION}.`);
}

export function registerRunway(scope: FastifyInstance, vendor: MediaVendor): void {
  // Tasks over the limit wait in the queue. Prompts are moderated when the task runs.
  const wire = openMediaWire(scope, vendor, {
    wire: 'runway',
    format: formatRunwayError,
    authenticate: (request) => checkCall(request, vendor.apiKey),
    overLimit: 'wait',
    deferredChecks: ['moderation'],
  });

  for (const [path, read] of Object.entries(RUNWAY_CALLS)) {
    scope.post(`/v1/${path}`, (request, reply) =>
      wire.submit(request, reply, {
        prompt: textIn(request.body, 'promptText'),
        read: () => read(request.body),
        response: (job) => ({ id: job.id, estimatedCost: estimatedCost(job) }),
      }),
    );
  }

  scope.get<OneJob>('/v1/tasks/:id', (request, reply) => {
    const job = wire.find(request.params.id);
    return wire.poll(job, reply, {
      response: () => runwayTask(job, vendor.now(), outputUrlsOf(vendor, request, job, LIFE)),
      garbled: () => ({ id: job.id, status: 'NOT_START', progress: '12%' }),
    });
  });

  // Cancels a running task or deletes a finished one. Polls no longer find it.
  scope.delete<OneJob>('/v1/tasks/:id', (request, reply) => {
    wire.remove(wire.find(request.params.id));
    return reply.code(204).send();
  });
}

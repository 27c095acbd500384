import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { carriesBearerKey } from '../../http/bearer-key.ts';
import { endOf, jobState, type MediaJob } from '../../jobs/media-job.ts';
import type { MediaVendor } from '../media/media-vendor.ts';
import { type OneJob, openMediaWire } from '../media/media-wire.ts';
import { outputUrlsOf, type UrlLife } from '../media/result-urls.ts';
import { textIn } from '../media/text-in.ts';
import { prediction } from './prediction.ts';
import { replicateError, formatReplicateError } from './replicate-error.ts';
import { readPrediction } from './replicate-params.ts';

/** Replicate docs, "Data retention": files of API predictions are deleted after one hour. */
const URL_LIFE: UrlLife = { lifeMs: 3600 * 1000, since: 'end' };
/** Replicate docs, "Sync mode": `Prefer: wait` delays the response by up to 60 seconds. */
const MAX_WAIT_S = 60;

interface OneModel {
  Params: { owner: string; name: string };
}

function waitOf(header: string | string[] | undefined): number {
  const match = /^\s*wait(?:=(\d{1,3}))?\s*$/.exec(typeof header === 'string' ? header : '');
  return match ? Math.min(Number(match[1] ?? MAX_WAIT_S), MAX_WAIT_S) : 0;
}

/** Serves Replicate's API. The prefix does not include `/v1`. Webhook URLs are validated but never called. */
export function registerReplicate(scope: FastifyInstance, vendor: MediaVendor): void {
  const { now } = vendor;
  const wire = openMediaWire(scope, vendor, {
    wire: 'replicate',
    format: formatReplicateError,
    // New predictions are visible immediately. Predictions over the limit wait instead of being rejected.
    hasLag: false,
    overLimit: 'wait',
    // Prompts are moderated by the models, not by Replicate itself.
    deferredChecks: ['moderation'],
    authenticate({ headers: { authorization } }) {
      // Older clients send `Token` (Replicate docs, "Authentication").
      if (carriesBearerKey(authorization?.replace(/^Token\s/i, 'Bearer '), vendor.apiKey)) return;
      throw replicateError(401, 'Unauthenticated', 'You did not pass a valid authentication token');
    },
  });

  function toTask(request: FastifyRequest, job: MediaJob): object {
    return prediction(job, now(), {
      base: `${request.protocol}://${request.host}${scope.prefix}/v1`,
      files: outputUrlsOf(vendor, request, job, URL_LIFE),
    });
  }

  async function waitForEnd(job: MediaJob, seconds: number): Promise<void> {
    const until = Math.min(now() + seconds * 1000, endOf(job));
    // Checks the time in a loop, because Node timers may fire early.
    while (now() < until) await new Promise((resolve) => setTimeout(resolve, until - now()).unref());
  }

  async function create(request: FastifyRequest, reply: FastifyReply, name: string | undefined) {
    void reply.code(201);
    return wire.submit(request, reply, {
      prompt: textIn(request.body, 'input', 'prompt'),
      read: () => readPrediction(request.body, name),
      async response(job) {
        await waitForEnd(job, waitOf(request.headers.prefer));
        return toTask(request, job);
      },
    });
  }

  scope.post<OneModel>('/v1/models/:owner/:name/predictions', (request, reply) =>
    create(request, reply, `${request.params.owner}/${request.params.name}`),
  );
  scope.post('/v1/predictions', (request, reply) => create(request, reply, undefined));

  scope.get<OneJob>('/v1/predictions/:id', (request, reply) => {
    const job = wire.find(request.params.id);
    return wire.poll(job, reply, {
      response: () => toTask(request, job),
      garbled: () => ({ ...toTask(request, job), status: 'booting', output: null }),
    });
  });

  scope.get('/v1/predictions', (request, reply) =>
    reply.send({ previous: null, next: null, results: wire.jobs().map((job) => toTask(request, job)) }),
  );

  scope.post<OneJob>('/v1/predictions/:id/cancel', (request, reply) => {
    const job = wire.find(request.params.id);
    const { status } = jobState(job, now());
    if (status === 'queued' || status === 'in_progress') wire.cancel(job);
    return reply.send(toTask(request, wire.find(request.params.id)));
  });
}

import type { FastifyInstance } from 'fastify';
import type { MediaVendor } from '../media/media-vendor.ts';
import { textIn } from '../media/text-in.ts';
import { refusalError } from './fal-error.ts';
import { readFalInput } from './fal-params.ts';
import { type EndpointParams, endpointOf, openFalWire } from './open-fal-wire.ts';
import { readLifeSeconds } from './request-headers.ts';
import { isInline, requestResult } from './request-result.ts';

/** Serves `fal.run`, which responds when the job is finished. It shares its models and account with the queue. */
export function registerFalRun(scope: FastifyInstance, vendor: MediaVendor): void {
  // Unlike in the queue, calls over the limit are rejected (fal docs, "Concurrency Limits").
  const wire = openFalWire(scope, vendor);

  for (const url of ['/:owner/:alias', '/:owner/:alias/*']) {
    scope.post<{ Params: EndpointParams }>(url, (request, reply) =>
      wire.submitAndWait(request, reply, {
        prompt: textIn(request.body, 'prompt'),
        read() {
          const reading = readFalInput(endpointOf(request.params), request.body);
          const life_seconds = readLifeSeconds(request.headers);
          if ('params' in reading)
            return { ...reading.params, requestFields: { ...reading.params.requestFields, life_seconds } };
          throw refusalError(reading.refusal);
        },
        body(job, state) {
          void reply.header('x-fal-request-id', job.id);
          return requestResult(vendor, request, job, state);
        },
        garbled: () => ({ media: null }),
        isInline,
      }),
    );
  }
}

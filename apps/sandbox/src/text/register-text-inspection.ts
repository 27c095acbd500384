import type { FastifyInstance } from 'fastify';
import type { RequestLog } from './request-log.ts';

/** Serves the last text requests to tests; `?clear=1` forgets them after they were told. No key is needed. */
export function registerTextInspection(app: FastifyInstance, log: RequestLog): void {
  app.get<{ Querystring: { clear?: string } }>('/_sandbox/requests', (request, reply) => {
    const requests = [...log.requests()];
    if (request.query.clear === '1') log.clear();
    return reply.send({ requests });
  });
}

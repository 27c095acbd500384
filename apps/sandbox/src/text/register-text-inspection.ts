import type { FastifyInstance } from 'fastify';
import type { RequestLog } from './request-log.ts';

export function registerTextInspection(app: FastifyInstance, log: RequestLog): void {
  app.get<{ Querystring: { clear?: string } }>('/_sandbox/requests', (request, reply) => {
    const requests = [...log.requests()];
    if (request.query.clear === '1') log.clear();
    return reply.send({ requests });
  });
}

import type { FastifyInstance } from 'fastify';
import { ALL_DIRECTIVES } from './directives/all-directives.ts';
import type { JobLedger } from './jobs/job-ledger.ts';
import { isWire } from './jobs/wire.ts';

/**
 * Serves what no vendor reports: submissions per task, peak concurrency, the directives, and health. No key is needed.
 */
export function registerInspection(app: FastifyInstance, ledger: JobLedger): void {
  app.get('/_sandbox/health', (_request, reply) => reply.send({ status: 'ok' }));

  app.get('/_sandbox/words', (_request, reply) => reply.send({ words: ALL_DIRECTIVES }));

  app.get<{ Querystring: { wire?: unknown } }>('/_sandbox/submissions', (request, reply) => {
    const { wire } = request.query;
    if (wire !== undefined && !(typeof wire === 'string' && isWire(wire))) {
      return reply.code(400).send({ error: 'there is no such wire' });
    }
    const counts = ledger.submissions(wire);
    return reply.send({
      submissions: counts.map(({ upstreamIds, ...count }) => ({ ...count, upstream_ids: upstreamIds })),
      total_applied: counts.reduce((sum, { applied }) => sum + applied, 0),
      most_running: ledger.maxRunning(),
    });
  });
}

import type { FastifyInstance } from 'fastify';
import type { JobLedger } from './jobs/job-ledger.ts';

/** Serves what no vendor tells: how often each task was submitted, and whether the sandbox is up. No key is needed. */
export function registerInspection(app: FastifyInstance, ledger: JobLedger): void {
  app.get('/_sandbox/health', (_request, reply) => reply.send({ status: 'ok' }));

  app.get('/_sandbox/submissions', (_request, reply) => {
    const counts = ledger.submissions();
    return reply.send({
      submissions: counts.map(({ upstreamIds, ...count }) => ({ ...count, upstream_ids: upstreamIds })),
      total_applied: counts.reduce((sum, { applied }) => sum + applied, 0),
    });
  });
}

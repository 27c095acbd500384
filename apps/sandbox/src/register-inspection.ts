import type { FastifyInstance } from 'fastify';
import { ALL_DIRECTIVES } from './directives/all-directives.ts';
import type { BatchCounts } from './batches/batch-counts.ts';
import type { JobLedger } from './jobs/job-ledger.ts';
import type { RequestLog } from './text/request-log.ts';
import { isMediaWire } from './wires/wire-table.ts';

interface Inspected {
  ledger: JobLedger;
  log: RequestLog;
  batchCounts: BatchCounts;
}

/** Serves endpoints for tests: submissions, batches, text requests, directives, and health. Needs no key. */
export function registerInspection(app: FastifyInstance, { ledger, log, batchCounts }: Inspected): void {
  app.get('/_sandbox/health', (_request, reply) => reply.send({ status: 'ok' }));

  app.get('/_sandbox/words', (_request, reply) => reply.send({ words: ALL_DIRECTIVES }));

  app.get<{ Querystring: { wire?: unknown } }>('/_sandbox/submissions', (request, reply) => {
    const { wire } = request.query;
    if (wire !== undefined && !isMediaWire(wire)) {
      return reply.code(400).send({ error: 'Query parameter `wire` must name a media wire.' });
    }
    const counts = ledger.submissions(wire);
    return reply.send({
      submissions: counts.map(({ upstreamIds, ...count }) => ({ ...count, upstream_ids: upstreamIds })),
      total_applied: counts.reduce((sum, { applied }) => sum + applied, 0),
      most_running: ledger.maxRunning(),
    });
  });

  app.get('/_sandbox/batches', (_request, reply) => reply.send({ batches: batchCounts.report() }));

  app.get<{ Querystring: { clear?: string } }>('/_sandbox/requests', (request, reply) => {
    const requests = [...log.requests()];
    if (request.query.clear === '1') log.clear();
    return reply.send({ requests });
  });
}

import type { FastifyInstance } from 'fastify';

/**
 * Lets connections go as soon as they have their answers once the API closes. Node closes only those that are idle at
 * that moment; the others would hold the process until they time out.
 */
export function closeConnections(app: FastifyInstance): void {
  let closing = false;
  app.addHook('preClose', async () => {
    closing = true;
  });
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (closing) void reply.header('connection', 'close');
    done();
  });
  // For answers that had begun before, such as downloads.
  app.addHook('onResponse', (_request, _reply, done) => {
    if (closing) setImmediate(() => app.server.closeIdleConnections());
    done();
  });
}

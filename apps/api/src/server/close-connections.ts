import type { FastifyInstance } from 'fastify';

/**
 * When the API closes, Node closes only idle connections. Active connections would keep the process alive, so they are
 * closed here.
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
  // For responses that have already started (e.g. downloads).
  app.addHook('onResponse', (_request, _reply, done) => {
    if (closing) setImmediate(() => app.server.closeIdleConnections());
    done();
  });
}

import { createServer } from 'node:http';

export interface HealthServer {
  close(): Promise<void>;
}

/**
 * Serves `GET /health/live` and `/health/ready` for container health checks.
 * @param port from the environment; if absent, nothing is served
 * @throws Error if the port is invalid or in use
 */
export async function startHealth(port: string | undefined, ready: () => Promise<boolean>): Promise<HealthServer> {
  if (port === undefined || port === '') return { close: () => Promise.resolve() };
  if (!/^\d{1,5}$/.test(port)) throw new Error(`SLUICE_WORKER_HEALTH_PORT must be a port; got \`${port}\`.`);
  const server = createServer((request, response) => {
    void (async () => {
      const isAvailable = request.url === '/health/live' || (await ready());
      response.writeHead(isAvailable ? 200 : 503, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ status: isAvailable ? 'ok' : 'unavailable' }));
    })();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(Number(port), resolve);
  });
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

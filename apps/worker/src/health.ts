import { createServer } from 'node:http';

/** The worker's health endpoint. */
export interface HealthServer {
  close(): Promise<void>;
}

/**
 * Serves `GET /health/live` and `/health/ready` for container health checks, when a port is asked for.
 * @param port from the environment; absent: nothing is served
 * @throws when the port is not one, or is taken
 */
export async function startHealth(port: string | undefined, ready: () => Promise<boolean>): Promise<HealthServer> {
  if (port === undefined || port === '') return { close: () => Promise.resolve() };
  if (!/^\d{1,5}$/.test(port)) throw new Error(`SLUICE_WORKER_HEALTH_PORT=${port} is not a port.`);
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

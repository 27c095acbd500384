import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { METRICS_CONTENT_TYPES, metricsFormatOf, type WorkerMetrics } from '@sluice/telemetry';

export interface HealthServer {
  close(): Promise<void>;
}

export interface HealthDeps {
  ready: () => Promise<boolean>;
  metrics?: Pick<WorkerMetrics, 'render'> | undefined;
}

/**
 * Serves `GET /health/live` and `/health/ready` for container health checks, and `/metrics`.
 * @param port from the environment; if undefined, nothing is served
 * @throws Error if the port is invalid or in use
 */
export async function startHealth(port: string | undefined, deps: HealthDeps): Promise<HealthServer> {
  if (port === undefined || port === '') return { close: () => Promise.resolve() };
  if (!/^\d{1,5}$/.test(port))
    throw new Error(`SLUICE_WORKER_HEALTH_PORT must be an integer from 1 to 65535; got \`${port}\`.`);
  const server = createServer((request, response) => void respond(request, response, deps));
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

async function respond(
  { url = '', headers }: IncomingMessage,
  response: ServerResponse,
  { ready, metrics }: HealthDeps,
) {
  const [path] = url.split('?');
  if (metrics && path === '/metrics') {
    const format = metricsFormatOf(headers.accept);
    const text = await metrics.render(format);
    response.writeHead(200, { 'content-type': METRICS_CONTENT_TYPES[format] }).end(text);
    return;
  }
  const isAvailable = path === '/health/live' || (await ready());
  response.writeHead(isAvailable ? 200 : 503, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ status: isAvailable ? 'ok' : 'unavailable' }));
}

import multipart from '@fastify/multipart';
import { GatewayError } from '@sluice/canonical';
import type { Config } from '@sluice/config';
import { parseJson, videosProtocol } from '@sluice/protocols';
import { type Logger, type Metrics, traceFields, type Tracing } from '@sluice/telemetry';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { gatewayErrorOf, MAX_PATH_PART } from '../http/gateway-error-of.ts';
import { readBody } from '../http/read-body.ts';
import { requestIdHeaders, requestIdOf } from '../http/request-id.ts';
import { sendError } from '../http/send-error.ts';
import { disconnectStalledReaders } from '../http/stalled-readers.ts';
import { isHandshake, routeUpgrades } from '../realtime/pending-upgrade.ts';
import { checkBodies } from './check-body.ts';
import { closeConnections } from './close-connections.ts';
import { observeRequests } from './observe-requests.ts';
import { sendClientError } from './send-client-error.ts';
import { errorEncoderOf, noRoute, type ServedPath } from './served-paths.ts';

/** Timeout for the headers. Node checks it only at intervals, so headers may take up to the sum of both values. */
const HEADERS_TIMEOUT_MS = 14_000;
const CHECK_INTERVAL_MS = 1_000;
/** Timeout for the complete request body. It allows uploads over slow connections. */
const REQUEST_TIMEOUT_MS = 15 * 60_000;

export interface ServerOptions {
  config: Pick<Config, 'limits' | 'files' | 'timeouts' | 'server'>;
  served: readonly ServedPath[];
  logger: Logger;
  metrics: Metrics;
  tracing?: Tracing | undefined;
}

export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const { config, served, logger, metrics, tracing } = options;
  const app = createFastify(config, served);
  routeUpgrades(app, config.timeouts.shutdown_ms);
  observeRequests(app, { logger, metrics, tracing });
  closeConnections(app);
  disconnectStalledReaders(app);
  requireHost(app);
  checkBodies(app, config.limits, config.files.max_bytes);
  handleErrors(app, served, logger);
  readJson(app);
  await app.register(multipart);
  return app;
}

function createFastify(
  { limits, server: { trusted_proxies: proxies } }: ServerOptions['config'],
  served: readonly ServedPath[],
): FastifyInstance {
  return Fastify({
    logger: false,
    // An empty list would also enable Fastify's slower requests.
    trustProxy: proxies.length > 0 && proxies,
    genReqId: (request) => requestIdOf(request.headers),
    bodyLimit: limits.json_bytes,
    forceCloseConnections: 'idle',
    exposeHeadRoutes: false,
    clientErrorHandler: (error, socket) => sendClientError(error, socket, limits.header_bytes),
    // Requests that arrive while the process drains are served normally.
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => {
      void reply.headers(requestIdHeaders(request.id));
      void sendError(reply, gatewayErrorOf(error), errorEncoderOf(request, served));
    },
    routerOptions: { maxParamLength: MAX_PATH_PART },
    http: {
      maxHeaderSize: limits.header_bytes,
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: CHECK_INTERVAL_MS,
      requireHostHeader: false, // Node's own error response has no body. See `requireHost`.
      // Other upgrades (e.g. HTTP/2 without TLS) are served as HTTP/1.1.
      shouldUpgradeCallback: isHandshake,
    },
    requestTimeout: REQUEST_TIMEOUT_MS,
  });
}

function requireHost(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    // `headers` contains only the first of several Host headers. A proxy may have read another one (RFC 9112, section
    // 3.2).
    const hosts = countHosts(raw.rawHeaders);
    if (hosts > 1) return done(new GatewayError('invalid_request', '`Host` appears twice. Send it once.'));
    if (raw.httpVersion === '1.0' || hosts === 1) return done();
    done(new GatewayError('invalid_request', '`Host` is required.'));
  });
}

/** @param headers names and values in turn */
function countHosts(headers: readonly string[]): number {
  let hosts = 0;
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts;
}

function handleErrors(app: FastifyInstance, served: readonly ServedPath[], logger: Logger): void {
  app.setErrorHandler((error, request, reply) => {
    const shown = gatewayErrorOf(error, request.routeOptions.bodyLimit);
    if (shown.status >= 500 && !request.isAborted) {
      // A GatewayError's message may contain a vendor's text, which may quote the prompt.
      const err = shown.cause ?? (error instanceof GatewayError ? undefined : error);
      logger.error(
        { ...(err !== undefined && { err }), request_id: request.id, ...traceFields(request.trace), code: shown.code },
        'request failed',
      );
    }
    request.errorCode = shown.code;
    const { encodeError = videosProtocol.encodeError, statusOfError } = request.routeOptions.config;
    return sendError(reply, shown, request.encodeError ?? encodeError, statusOfError);
  });
  const sendNotFound = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    sendError(reply, noRoute(request, reply, served), errorEncoderOf(request, served));
  // Runs before the body is read, because Fastify would reject a `QUERY` request without a media type.
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404) void sendNotFound(request, reply);
    else done();
  });
  app.setNotFoundHandler(sendNotFound);
}

/** An empty JSON body is treated as missing, so that the error names the missing field. */
function readJson(app: FastifyInstance): void {
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addContentTypeParser('application/json', (request, payload, done) =>
    readBody(request, payload, (error, body = Buffer.alloc(0)) => {
      if (error) return done(error);
      try {
        done(null, body.length === 0 ? undefined : parseJson(body));
      } catch (invalid) {
        done(invalid as Error); // The cast is safe because `parseJson` throws only errors.
      }
    }),
  );
}

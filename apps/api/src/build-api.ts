import { randomUUID } from 'node:crypto';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import multipart from '@fastify/multipart';
import { GatewayError } from '@sluice/canonical';
import { type Config, modelCatalog, webhookOrigins, webhookSettings } from '@sluice/config';
import { createLimiter } from '@sluice/limits';
import { ENDPOINTS, type EncodeError, videosProtocol } from '@sluice/protocols';
import type { ContentStore, TaskEngine } from '@sluice/tasks';
import type { Logger, Metrics } from '@sluice/telemetry';
import type { Upstreams } from '@sluice/upstreams';
import { createWebhooks } from '@sluice/webhooks';
import type { Redis } from 'ioredis';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { type ApiKey, buildApiKeys } from './auth/api-keys.ts';
import { createCapNotifier } from './metering/concurrency-caps.ts';
import { openStoredApiKeys } from './auth/stored-api-keys.ts';
import { createCharges } from './metering/charges.ts';
import { createLateCharges } from './metering/late-charges.ts';
import { ADMIN_ENDPOINTS } from './admin/endpoints.ts';
import { registerAdmin } from './admin/register-admin.ts';
import { Spool } from './direct/spooled-file.ts';
import { gatewayErrorOf } from './http/gateway-error-of.ts';
import { authenticate } from './auth/authenticate.ts';
import { sendClientError } from './server/send-client-error.ts';
import { checkBodies } from './server/check-body.ts';
import { trackRequests } from './http/abort-requests.ts';
import { observeRequests } from './server/observe-requests.ts';
import { errorShapeOf, methodsOf, registerEndpoints, type ServedPath } from './server/register-endpoints.ts';
import { closeConnections } from './server/close-connections.ts';
import { disconnectStalledReaders } from './http/stalled-readers.ts';
import { printable } from './http/printable.ts';
import { requestIdHeaders, requestIdOf } from './http/request-id.ts';
import { sendError } from './http/send-error.ts';
import { buildContentLinks } from './media/content-links.ts';
import { registerOperations } from './operations/register-operations.ts';
import { buildRealtimeServices } from './realtime/build-realtime-services.ts';
import { isHandshake, routeUpgrades } from './realtime/pending-upgrade.ts';
import { registerDocs } from './operations/register-docs.ts';
import { buildTextServices } from './generation/build-generation.ts';

/** What the API is put together from. */
export interface ApiParts {
  config: Config;
  engine: TaskEngine;
  content: ContentStore;
  upstreams: Upstreams;
  /** Connection of the state of text; it may be away. */
  redis: Redis;
  /** Seals what travels through clients. */
  secret: string;
  logger: Logger;
  metrics: Metrics;
  version: string;
  /** Unix milliseconds; default the system's. */
  now?: () => number;
  /** Aborts when the process is asked to stop. */
  stopping?: AbortSignal;
}

/** A client that sends its headers slower than this is not one. */
const HEADERS_TIMEOUT_MS = 15_000;
/** Time for a whole request body: uploads over slow lines are allowed. */
const REQUEST_TIMEOUT_MS = 15 * 60_000;

/** How long a worker may take to find a test of a webhook, beside the attempt. */
const TEST_CLAIM_MS = 10_000;

/** Composition root of the HTTP process: a Fastify that serves every endpoint, not yet listening. */
export async function buildApi(parts: ApiParts): Promise<FastifyInstance> {
  const { config, engine, content, logger, metrics, stopping = new AbortController().signal } = parts;
  const { admin_key: adminKey } = config.server;
  const served = adminKey === undefined ? ENDPOINTS : [...ENDPOINTS, ...ADMIN_ENDPOINTS];
  const app = Fastify({
    logger: false,
    genReqId: (request) => requestIdOf(request.headers),
    bodyLimit: config.limits.json_bytes,
    forceCloseConnections: 'idle',
    exposeHeadRoutes: false,
    clientErrorHandler: sendClientError,
    // Requests that arrive while the process drains are served like any other.
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => {
      void reply.headers(requestIdHeaders(request.id)); // no hook has run
      void sendError(reply, gatewayErrorOf(error), shapeFor(request, served));
    },
    routerOptions: { maxParamLength: 1_000 },
    http: {
      maxHeaderSize: config.limits.header_bytes,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requireHostHeader: false, // checked below: Node's own answer has no body
      // All else that asks for another protocol, such as HTTP/2 in clear text, is served as it is.
      shouldUpgradeCallback: isHandshake,
    },
    requestTimeout: REQUEST_TIMEOUT_MS,
  });

  routeUpgrades(app, config.timeouts.shutdown_ms);
  observeRequests(app, logger, metrics);
  closeConnections(app);
  disconnectStalledReaders(app);
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    if (raw.httpVersion === '1.0' || raw.headers.host !== undefined) return done();
    done(new GatewayError('invalid_request', 'The Host header is missing.'));
  });
  checkBodies(app, config.limits);

  app.setErrorHandler((error, request, reply) => {
    const shown = gatewayErrorOf(error);
    if (shown.status >= 500 && !request.isAborted) {
      // Not the message of ours: it may hold a vendor's words, and those the prompt.
      const err = shown.cause ?? (error instanceof GatewayError ? undefined : error);
      logger.error({ ...(err !== undefined && { err }), request_id: request.id, code: shown.code }, 'a request failed');
    }
    const { encodeError = videosProtocol.encodeError, statusOfError } = request.routeOptions.config;
    return sendError(reply, shown, encodeError, statusOfError);
  });
  app.setNotFoundHandler((request, reply) =>
    sendError(reply, noRoute(request, reply, served), shapeFor(request, served)),
  );

  // An empty JSON body is as good as none: what is missing is then told by field.
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    if (body === '') return done(null, undefined);
    try {
      done(null, JSON.parse(body.toString()));
    } catch {
      done(new GatewayError('invalid_request', 'The body is not valid JSON.'));
    }
  });
  await app.register(multipart);

  const { now = Date.now } = parts;
  const notifyCaps = createCapNotifier(engine, logger);
  notifyCaps(config.keys);
  // With those of the configuration: Redis may have been away when they were told.
  const onRead = (stored: readonly ApiKey[]): void => notifyCaps([...config.keys, ...stored]);
  const storedKeys = await openStoredApiKeys({ ...parts, now, randomBytes, onRead });
  app.addHook('onClose', () => storedKeys.known.close());
  const catalog = modelCatalog(config);
  const limiter = createLimiter(parts.redis, { prefix: config.redis.prefix });
  const lateCharges = createLateCharges({ logger, now });
  const charges = createCharges({ limiter, lateCharges, logger, newId });
  const textServices = buildTextServices({ ...parts, catalog, charges, stopping, newId });
  app.addHook('onClose', async () => {
    await textServices.background.end();
    await lateCharges.end();
  });
  trackRequests(app);
  const hookSettings = webhookSettings(config);
  const { redis, secret } = parts;
  const webhooks = createWebhooks({ redis, prefix: config.redis.prefix, secret, settings: hookSettings, logger, now });
  const callbackOrigins = new Set(webhookOrigins(config));
  const findApiKey = buildApiKeys(config.keys, storedKeys.find);
  const callerOf = (request: FastifyRequest): ApiKey => authenticate(request, findApiKey);
  await registerEndpoints(app, findApiKey, {
    media: {
      callerOf,
      engine,
      content,
      catalog,
      accounts: parts.upstreams.accounts,
      charges,
      defaultModels: { video: config.defaults.video_model, image: config.defaults.image_model },
      limits: config.limits,
      links: buildContentLinks({
        secret: parts.secret,
        publicUrl: config.server.public_url,
        retentionMs: config.tasks.retention_ms,
        now,
      }),
      callbackOrigins,
      imageOrigins: new Set(config.download.allow.map((url) => new URL(url).origin)),
      imageWaitMs: config.timeouts.image_wait_ms,
      keepAliveMs: config.timeouts.keep_alive_ms,
      logger,
      stopping,
    },
    text: textServices,
    direct: {
      ...textServices,
      callerOf,
      defaultModels: { moderation: config.defaults.moderation_model },
      forms: { limits: config.limits, spool: new Spool(join(config.contentDir, 'spool'), config.limits.spool_bytes) },
    },
    realtime: buildRealtimeServices(app, { ...textServices, config, stopping }),
    webhooks: { webhooks, origins: callbackOrigins, testWaitMs: hookSettings.timeoutMs + TEST_CLAIM_MS, stopping },
  });
  registerOperations(app, { engine, webhooks, metrics, stopping, servesInline: servesInline(parts.upstreams) });
  if (adminKey !== undefined) {
    const deps = { engine, configuredKeys: config.keys, catalog, storedKeys, limiter, now };
    await registerAdmin(app, { adminKey, endpoints: ADMIN_ENDPOINTS, deps });
  }

  registerDocs(app, parts.version, served);
  return app;
}

/** Much cheaper than random bytes, of which each call asks the system. */
function newId(prefix: string): string {
  return prefix + randomUUID().replaceAll('-', '');
}

/** Whether any upstream serves what needs no task. */
function servesInline({ accounts }: Upstreams): boolean {
  const media = new Set(['kind', 'video', 'image']);
  return [...accounts.values()].some((account) => Object.keys(account).some((served) => !media.has(served)));
}

/** A path that exists takes other methods, which `Allow` lists. */
function noRoute(request: FastifyRequest, reply: FastifyReply, served: readonly ServedPath[]): GatewayError {
  const { method } = request;
  const path = pathOf(request);
  const methods = methodsOf(path, served);
  if (methods.length === 0 || methods.includes(method)) {
    return new GatewayError('not_found', `There is no ${method} ${printable(path)}. See /docs for what there is.`);
  }
  void reply.header('allow', methods.join(', '));
  return new GatewayError('method_not_allowed', `${printable(path)} takes ${methods.join(', ')}, not ${method}.`);
}

/** For what goes wrong before a route is chosen. */
function shapeFor(request: FastifyRequest, served: readonly ServedPath[]): EncodeError {
  return errorShapeOf(pathOf(request), served) ?? videosProtocol.encodeError;
}

function pathOf({ url }: FastifyRequest): string {
  return url.split('?', 1)[0] ?? '';
}

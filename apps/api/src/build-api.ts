import { randomBytes, randomUUID } from 'node:crypto';
import { type Config, modelCatalog, webhookSettings } from '@sluice/config';
import { createLimiter } from '@sluice/limits';
import { ENDPOINTS } from '@sluice/protocols';
import type { ContentStore, StorageMonitor, TaskEngine } from '@sluice/tasks';
import type { Logger, Metrics } from '@sluice/telemetry';
import type { Upstreams } from '@sluice/upstreams';
import { createWebhooks } from '@sluice/webhooks';
import type { FastifyInstance } from 'fastify';
import type { Redis } from 'ioredis';
import { ADMIN_ENDPOINTS } from './admin/endpoints.ts';
import { registerAdmin } from './admin/register-admin.ts';
import { type ApiKey, buildApiKeys } from './auth/api-keys.ts';
import { authenticate, type CallerOf } from './auth/authenticate.ts';
import { openStoredApiKeys } from './auth/stored-api-keys.ts';
import { trackRequests } from './http/abort-requests.ts';
import { createCharges } from './metering/charges.ts';
import { createCapNotifier } from './metering/concurrency-caps.ts';
import { createLateCharges } from './metering/late-charges.ts';
import { registerDocs } from './operations/register-docs.ts';
import { registerOperations } from './operations/register-operations.ts';
import type { ProcessGroup } from './processes/process-group.ts';
import { createBackgroundResponses } from './responses/background-responses.ts';
import { buildHandlers } from './server/build-handlers.ts';
import { createServer } from './server/create-server.ts';
import { registerEndpoints } from './server/register-endpoints.ts';

export interface ApiParts {
  config: Config;
  engine: TaskEngine;
  content: ContentStore;
  storage: Pick<StorageMonitor, 'isAvailable'>;
  upstreams: Upstreams;
  redis: Redis;
  secret: string;
  logger: Logger;
  metrics: Metrics;
  version: string;
  now?: () => number;
  stopping?: AbortSignal;
  /** The processes that share the port, if this is not the only one. */
  group?: ProcessGroup | undefined;
}

/** Time that a worker has to claim a webhook test, in addition to the time of the attempt itself. */
const TEST_CLAIM_MS = 10_000;

/** Composition root of the HTTP process. @returns a server that is not yet listening */
export async function buildApi(parts: ApiParts): Promise<FastifyInstance> {
  const { config, engine, storage, upstreams, redis, secret, logger, metrics } = parts;
  const { stopping = new AbortController().signal, now = Date.now } = parts;
  const { admin_key: adminKey } = config.server;
  const served = adminKey === undefined ? ENDPOINTS : [...ENDPOINTS, ...ADMIN_ENDPOINTS];
  const app = await createServer({ config, served, logger, metrics });
  const storedKeys = await openKeys(app, parts, now);
  const limiter = createLimiter(redis, { prefix: config.redis.prefix });
  const lateCharges = createLateCharges({ logger, now });
  const charges = createCharges({
    limiter,
    lateCharges,
    logger,
    metrics,
    newId,
    onOutage: config.limits.on_outage,
  });
  const background = createBackgroundResponses(stopping);
  app.addHook('onClose', async () => {
    await background.end();
    await lateCharges.end();
  });
  trackRequests(app);

  const settings = webhookSettings(config);
  const webhooks = createWebhooks({ redis, prefix: config.redis.prefix, secret, settings, logger, now });
  const findApiKey = buildApiKeys(config.keys, storedKeys.find);
  const callerOf: CallerOf = (request, other) => authenticate(request, findApiKey, other);
  const testWaitMs = settings.timeoutMs + TEST_CLAIM_MS;
  const shared = { now, stopping, newId, callerOf, charges, background, webhooks, testWaitMs };
  await registerEndpoints(app, callerOf, buildHandlers(app, { ...parts, ...shared }));
  const inline = servesInline(upstreams);
  const { group } = parts;
  registerOperations(app, { engine, storage, webhooks, metrics, adminKey, stopping, servesInline: inline, group });
  if (adminKey !== undefined) {
    const catalog = modelCatalog(config);
    const deps = { engine, configuredKeys: config.keys, catalog, storedKeys, limiter, now };
    await registerAdmin(app, { adminKey, endpoints: ADMIN_ENDPOINTS, deps });
  }
  registerDocs(app, parts.version, served);
  return app;
}

async function openKeys(app: FastifyInstance, parts: ApiParts, now: () => number) {
  const { config, engine, logger } = parts;
  const notifyCaps = createCapNotifier(engine, logger);
  notifyCaps(config.keys);
  // Includes the configured keys, because Redis may have been down when their limits were first declared.
  const onRead = (stored: readonly ApiKey[]): void => notifyCaps([...config.keys, ...stored]);
  const storedKeys = await openStoredApiKeys({ ...parts, now, randomBytes, onRead });
  app.addHook('onClose', () => storedKeys.known.close());
  return storedKeys;
}

/**
 * Node caches the random bytes for `randomUUID`. It is much cheaper than `randomBytes`, which needs a system call per
 * id.
 */
function newId(prefix: string): string {
  return prefix + randomUUID().replaceAll('-', '');
}

function servesInline({ accounts }: Upstreams): boolean {
  const media = new Set(['kind', 'video', 'image']);
  return [...accounts.values()].some((account) => Object.keys(account).some((capability) => !media.has(capability)));
}

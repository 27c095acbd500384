import { randomBytes, randomUUID } from 'node:crypto';
import { type Config, modelCatalog, webhookSettings } from '@sluice/config';
import { type LedgerStore, MAX_STREAM_ENTRIES, readLedgerStats } from '@sluice/ledger';
import { createLimiter } from '@sluice/limits';
import { createPriceBook } from '@sluice/prices';
import { ENDPOINTS } from '@sluice/protocols';
import type { ContentStore, StorageMonitor, TaskEngine } from '@sluice/tasks';
import type { Logger, Metrics, Tracing } from '@sluice/telemetry';
import type { Upstreams } from '@sluice/upstreams';
import { createWebhooks } from '@sluice/webhooks';
import type { FastifyInstance } from 'fastify';
import type { Redis } from 'ioredis';
import { ADMIN_ENDPOINTS } from './admin/endpoints.ts';
import { registerAdmin } from './admin/register-admin.ts';
import { adminDetector, adminKeyMatcher } from './auth/admin-key.ts';
import { type ApiKey, buildApiKeys } from './auth/api-keys.ts';
import { authenticate, type CallerOf } from './auth/authenticate.ts';
import { adminKeyHash, createConsoleSessions } from './auth/console-sessions.ts';
import { retrieveKey } from './auth/show-keys.ts';
import { openStoredApiKeys } from './auth/stored-api-keys.ts';
import { useSessions } from './auth/use-sessions.ts';
import { CONSOLE_ENDPOINTS, registerConsole } from './console/register-console.ts';
import { trackRequests } from './http/abort-requests.ts';
import { createLedger } from './ledger/ledger.ts';
import { createCharges } from './metering/charges.ts';
import { createCapNotifier } from './metering/concurrency-caps.ts';
import { createLateCharges } from './metering/late-charges.ts';
import { createLedgerReader } from './metering/ledger-reader.ts';
import { MEDIA_TASK_ENDPOINTS } from './media/tasks/task-endpoints.ts';
import { registerTasks } from './media/tasks/register-tasks.ts';
import { registerDocs } from './operations/register-docs.ts';
import { registerOperations } from './operations/register-operations.ts';
import type { ProcessGroup } from './processes/process-group.ts';
import { createBackgroundResponses } from './responses/background-responses.ts';
import { readCircuits } from './routing/circuit-states.ts';
import { buildHandlers } from './server/build-handlers.ts';
import { createServer } from './server/create-server.ts';
import { registerEndpoints } from './server/register-endpoints.ts';
import { USAGE_ENDPOINTS } from './usage/endpoints.ts';
import { registerUsage } from './usage/register-usage.ts';

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
  /** Undefined unless OpenTelemetry is configured. */
  tracing?: Tracing | undefined;
  version: string;
  /** Reads the configuration again. By default, it does not change. */
  readConfig?: (() => Promise<Config>) | undefined;
  /** Undefined if the ledger is disabled. */
  ledgerStore?: LedgerStore | undefined;
  now?: () => number;
  stopping?: AbortSignal;
  /** The processes that share the port, if this is not the only one. */
  group?: ProcessGroup | undefined;
}

/** Time that a worker has to claim a webhook test, in addition to the time of the attempt itself. */
const TEST_CLAIM_MS = 10_000;

/** Composition root of the HTTP process. @returns a server that is not yet listening */
export async function buildApi(parts: ApiParts): Promise<FastifyInstance> {
  const { config, engine, storage, upstreams, redis, secret, logger, metrics, tracing } = parts;
  const { stopping = new AbortController().signal, now = Date.now } = parts;
  const { admin_key: adminKey } = config.server;
  const shownToAll = [...ENDPOINTS, ...MEDIA_TASK_ENDPOINTS, ...USAGE_ENDPOINTS];
  const served = [...shownToAll, ...(adminKey === undefined ? [] : ADMIN_ENDPOINTS)];
  const app = await createServer({ config, served: [...served, ...CONSOLE_ENDPOINTS], logger, metrics, tracing });
  const sessions = createConsoleSessions({ redis, prefix: config.redis.prefix, now, randomBytes });
  const adminHash = adminKey === undefined ? undefined : adminKeyHash(adminKey, secret);
  const publicOrigin = config.server.public_url === undefined ? undefined : new URL(config.server.public_url).origin;
  useSessions(app, { sessions, adminHash, publicOrigin });
  const storedKeys = await openKeys(app, parts, now);
  const limiter = createLimiter(redis, { prefix: config.redis.prefix, maxLedgerEntries: MAX_STREAM_ENTRIES });
  const ledger = createLedger({ settings: config.ledger, secret, limiter, metrics, logger, now });
  const lateCharges = createLateCharges({ logger, metrics, now });
  const prices = createPriceBook(config);
  const charges = createCharges({
    prices,
    limiter,
    ledger,
    lateCharges,
    logger,
    metrics,
    newId,
    onOutage: config.limits.on_outage,
  });
  const background = createBackgroundResponses(stopping);
  app.addHook('onClose', async () => {
    await background.end();
    await Promise.all([lateCharges.end(), ledger.end()]);
  });
  trackRequests(app);

  const settings = webhookSettings(config);
  const webhooks = createWebhooks({ redis, prefix: config.redis.prefix, secret, settings, logger, now });
  const findApiKey = buildApiKeys(config.keys, storedKeys.find);
  const callerOf: CallerOf = (request, other) => authenticate(request, findApiKey, other);
  const testWaitMs = settings.timeoutMs + TEST_CLAIM_MS;
  const shared = { now, stopping, newId, callerOf, charges, prices, ledger, limiter, background, webhooks, testWaitMs };
  await registerEndpoints(app, callerOf, buildHandlers(app, { ...parts, ...shared }), ledger);
  const inline = servesInline(upstreams);
  const { group } = parts;
  const { prefix } = config.redis;
  const ledgerStats = config.ledger.enabled ? () => readLedgerStats(redis, prefix, now()) : undefined;
  const operations = { engine, storage, webhooks, ledgerStats, metrics, adminKey, stopping };
  registerOperations(app, { ...operations, servesInline: inline, group });
  const reports = createLedgerReader(parts.ledgerStore);
  const isAdmin = adminDetector(adminKey);
  const shownKeys = { configuredKeys: config.keys, catalog: modelCatalog(config), storedKeys, limiter, now };
  const usageDeps = { ledger: reports, retrieveKey: (name: string) => retrieveKey(shownKeys, name), now };
  await registerUsage(app, { endpoints: USAGE_ENDPOINTS, callerOf, isAdmin, deps: usageDeps });
  const taskDeps = { engine, content: parts.content, logger, webhooks };
  await registerTasks(app, { endpoints: MEDIA_TASK_ENDPOINTS, callerOf, isAdmin, deps: taskDeps });
  if (adminKey !== undefined) {
    const circuits = () => readCircuits(metrics, group);
    const vendors = { upstreams: config.upstreams, listVendorModels: upstreams.listVendorModels, stopping };
    const { readConfig = async () => config } = parts;
    const understood = { config, readConfig, accounts: upstreams.accounts, prices };
    const deps = { ...shownKeys, ...vendors, ...understood, engine, ledger: reports, circuits };
    await registerAdmin(app, { adminKey, endpoints: ADMIN_ENDPOINTS, deps });
  }
  registerDocs(app, parts.version, served);
  const isAdminKey = adminKeyMatcher(adminKey);
  const { version } = parts;
  const hasLedger = config.ledger.enabled;
  await registerConsole(app, { sessions, findApiKey, isAdminKey, adminHash, publicOrigin, hasLedger, version });
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

import { randomBytes } from 'node:crypto';
import type { Config } from '@sluice/config';
import { type LedgerStore, readLedgerStats } from '@sluice/ledger';
import { createEventEncoder, ENDPOINTS } from '@sluice/protocols';
import type { Reloader } from '@sluice/reload';
import { readJobStats } from '@sluice/responses';
import type { ContentStore, StorageMonitor } from '@sluice/content';
import type { TaskEngine } from '@sluice/tasks';
import type { Logger, Metrics, Tracing } from '@sluice/telemetry';
import type { Upstreams } from '@sluice/upstreams';
import type { FastifyInstance } from 'fastify';
import type { Redis } from 'ioredis';
import type { AdminDeps } from './admin/admin-deps.ts';
import { ADMIN_ENDPOINTS } from './admin/endpoints.ts';
import { registerAdmin } from './admin/register-admin.ts';
import { createAuditLog } from './audit/audit-log.ts';
import { createAuditWriter } from './audit/audit-writer.ts';
import { recordChanges } from './audit/record-changes.ts';
import { createReloadRecorder, type RecordReload } from './audit/record-reloads.ts';
import { adminDetector, adminKeyMatcher } from './auth/admin-key.ts';
import type { AcceptedKeys } from './auth/accept-keys.ts';
import { adminKeyHash, createConsoleSessions } from './auth/console-sessions.ts';
import { retrieveKey, type ShowKeysDeps } from './auth/show-keys.ts';
import { useSessions } from './auth/use-sessions.ts';
import { createLiveChanges } from './console/live-changes.ts';
import { createOidcSignIn } from './console/oidc-sign-in.ts';
import { CONSOLE_PATHS, registerConsole } from './console/register-console.ts';
import { trackRequests } from './http/abort-requests.ts';
import { createLedgerReader, type LedgerReader } from './metering/ledger-reader.ts';
import { MEDIA_TASK_ENDPOINTS } from './media/tasks/task-endpoints.ts';
import { registerTasks } from './media/tasks/register-tasks.ts';
import { registerDocs } from './operations/register-docs.ts';
import { registerOperations } from './operations/register-operations.ts';
import type { ProcessGroup } from './processes/process-group.ts';
import { readCircuits } from './routing/circuit-states.ts';
import { createServer } from './server/create-server.ts';
import { createServices, type Services } from './server/create-services.ts';
import { registerEndpoints } from './server/register-endpoints.ts';
import { buildServing, LiveServing, replaceServing, type Serving } from './server/serving.ts';
import { requestOf } from './webhooks/delivery-request.ts';
import { USAGE_ENDPOINTS } from './usage/endpoints.ts';
import { registerUsage } from './usage/register-usage.ts';

export interface ApiParts {
  /** The configuration at the start. */
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
  /** Reads and shares the configuration. It must not be started yet. */
  reloader: Reloader;
  /** Undefined if the ledger is disabled. */
  ledgerStore?: LedgerStore | undefined;
  now?: () => number;
  stopping?: AbortSignal;
  /** The processes that share the port, if this is not the only one. */
  group?: ProcessGroup | undefined;
}

export interface Api {
  /** A server that is not yet listening. */
  app: FastifyInstance;
  /**
   * Serves all new requests with another configuration. Requests in progress keep theirs. If it rejects, nothing has
   * changed.
   * @param changed names of the upstreams that are new, different, or removed
   */
  apply(this: void, config: Config, upstreams: Upstreams, changed: readonly string[]): Promise<void>;
  /** Adds a reload to the audit log. */
  recordReload: RecordReload;
}

/** Composition root of the HTTP process. */
export async function buildApi(parts: ApiParts): Promise<Api> {
  const { config, redis, secret, logger, metrics, tracing } = parts;
  const { stopping = new AbortController().signal, now = Date.now } = parts;
  const signIn = createSignIn(config, secret, now, redis);
  const { sessions, operatorHashes, publicOrigin, hasAdminApi } = signIn;
  const shownToAll = [...ENDPOINTS, ...MEDIA_TASK_ENDPOINTS, ...USAGE_ENDPOINTS];
  const served = [...shownToAll, ...(hasAdminApi ? ADMIN_ENDPOINTS : [])];
  const app = await createServer({ config, served: [...served, ...CONSOLE_PATHS], logger, metrics, tracing });
  const auditLog = createAuditLog({ redis, prefix: config.redis.prefix });
  const auditWriter = createAuditWriter({ auditLog, logger, metrics });
  recordChanges(app, auditWriter);
  useSessions(app, { sessions, operatorHashes, publicOrigin });
  const live = new LiveServing();
  const services = await createServices(app, { ...parts, stopping, now }, () => ({
    settings: live.current.config.routing,
    accounts: live.current.upstreams.accounts,
  }));
  live.current = buildServing(services, config, parts.upstreams);
  trackRequests(app);

  await registerEndpoints(app, live, services.ledger);
  const consoleOwners = () => sessions.owners();
  await registerOtherEndpoints(app, { ...parts, stopping, now, auditLog, hasAdminApi, consoleOwners }, services, live);
  registerDocs(app, parts.version, served);
  const findApiKey = (hash: string) => live.current.findApiKey(hash);
  await registerConsole(app, {
    ...signIn,
    findApiKey,
    stopping,
    logger,
    hasLedger: config.ledger.enabled,
    version: parts.version,
    changes: createLiveChanges({ redis, prefix: config.redis.prefix, engine: parts.engine, logger }),
    get traceUrl() {
      return live.current.config.console.trace_url;
    },
    get keepAliveMs() {
      return live.current.config.timeouts.keep_alive_ms;
    },
  });
  return {
    app,
    apply: async (next, upstreams, changed) =>
      replaceServing(live, services, buildServing(services, next, upstreams), changed),
    recordReload: createReloadRecorder({ redis, prefix: config.redis.prefix, writer: auditWriter }),
  };
}

/** Creates the parts of the sign-in to the console, with the admin key and with single sign-on. */
function createSignIn(config: Config, secret: string, now: () => number, redis: Redis) {
  const { admin_key: adminKey, public_url: publicUrl } = config.server;
  const { session_ms: sessionMs } = config.console;
  const oidc = createOidcSignIn({ config, secret, now, randomBytes });
  const adminHash = adminKey === undefined ? undefined : adminKeyHash(adminKey, secret);
  return {
    oidc,
    adminHash,
    sessions: createConsoleSessions({ redis, prefix: config.redis.prefix, now, randomBytes, sessionMs }),
    operatorHashes: new Set([adminHash, oidc?.hash].filter((hash) => hash !== undefined)),
    publicOrigin: publicUrl === undefined ? undefined : new URL(publicUrl).origin,
    hasAdminApi: adminKey !== undefined || oidc !== undefined,
    isAdminKey: adminKeyMatcher(adminKey),
  };
}

type OtherParts = ApiParts &
  Pick<AdminDeps, 'now' | 'stopping' | 'auditLog' | 'consoleOwners'> & {
    hasAdminApi: boolean;
  };

/** Registers the endpoints that are not of a model protocol. Each request reads the version in force. */
async function registerOtherEndpoints(
  app: FastifyInstance,
  parts: OtherParts,
  services: Services,
  live: LiveServing,
): Promise<void> {
  const { config, engine, storage, redis, content, logger, metrics, now, stopping, group } = parts;
  const { webhooks, batches, files } = services;
  const { admin_key: adminKey } = config.server;
  const { prefix } = config.redis;
  registerOperations(app, {
    engine,
    storage,
    webhooks,
    batches,
    files,
    ledgerStats: config.ledger.enabled ? () => readLedgerStats(redis, prefix, now()) : undefined,
    responseStats: () => readJobStats(redis, prefix),
    metrics,
    adminKey,
    stopping,
    servesInline: () => servesInline(live.current.upstreams),
    group,
  });
  const keys: AcceptedKeys = {
    callerOf: (request, other) => live.current.callerOf(request, other),
    isAdmin: adminDetector(adminKey),
  };
  const ledger = createLedgerReader(parts.ledgerStore);
  const shownKey = (name: string) => retrieveKey(showKeysDeps(services, live.current), name);
  await registerUsage(app, { endpoints: USAGE_ENDPOINTS, ...keys, deps: { ledger, retrieveKey: shownKey, now } });
  await registerTasks(app, { endpoints: MEDIA_TASK_ENDPOINTS, ...keys, deps: { engine, content, logger, webhooks } });
  if (!parts.hasAdminApi) return;
  const deps = () => adminDeps(parts, services, live.current, ledger);
  await registerAdmin(app, { adminKey, endpoints: ADMIN_ENDPOINTS, deps });
}

function showKeysDeps({ storedKeys, limiter, now }: Services, { config, catalog }: Serving): ShowKeysDeps {
  return { configuredKeys: config.keys, catalog, storedKeys, limiter, now };
}

/** @param serving the version in force */
function adminDeps(parts: OtherParts, services: Services, serving: Serving, ledger: LedgerReader): AdminDeps {
  const { engine, secret, metrics, group, reloader, stopping, auditLog, consoleOwners } = parts;
  const { webhooks, files, batches, groups, credentials } = services;
  const { config, upstreams, prices } = serving;
  const encodeEvent = createEventEncoder(secret, config.server.public_url);
  return {
    ...showKeysDeps(services, serving),
    engine,
    files,
    batches,
    groups,
    ledger,
    circuits: () => readCircuits(metrics, group),
    credentials,
    stopping,
    auditLog,
    consoleOwners,
    config,
    upstreams: config.upstreams,
    accounts: upstreams.accounts,
    listVendorModels: upstreams.listVendorModels,
    prices,
    reloader,
    webhooks,
    deliveryRequest: (delivery) => requestOf({ webhooks, engine, encodeEvent }, delivery.ownerId, delivery),
  };
}

function servesInline({ accounts }: Upstreams): boolean {
  const media = new Set(['kind', 'video', 'image']);
  return [...accounts.values()].some((account) => Object.keys(account).some((capability) => !media.has(capability)));
}

import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type BatchStore, createBatchStore } from '@sluice/batches';
import {
  batchSettings,
  type Config,
  fileSettings,
  groupSettings,
  type KeyConfig,
  webhookSettings,
} from '@sluice/config';
import { MAX_STREAM_ENTRIES } from '@sluice/ledger';
import { createFileStore, type FileStore } from '@sluice/files';
import { createGroupStore, type GroupStore } from '@sluice/groups';
import { createLimiter, type Credentials, type Limiter } from '@sluice/limits';
import { createTokenCodec, type TokenCodec } from '@sluice/protocols';
import type { ContentStore } from '@sluice/content';
import type { TaskEngine } from '@sluice/tasks';
import type { Logger, Metrics } from '@sluice/telemetry';
import { createWebhooks, type Webhooks } from '@sluice/webhooks';
import type { FastifyInstance } from 'fastify';
import type { Redis } from 'ioredis';
import type { ApiKey } from '../auth/api-keys.ts';
import { openStoredApiKeys, type StoredApiKeys } from '../auth/stored-api-keys.ts';
import { Spool } from '../direct/spooled-file.ts';
import { createReasoningMemory, type ReasoningMemory } from '../generation/reasoning/reasoning-memory.ts';
import { createTextKeys, type TextKeys } from '../generation/reasoning/text-keys.ts';
import { createLedger, type Ledger } from '../ledger/ledger.ts';
import { createCapNotifier } from '../metering/concurrency-caps.ts';
import { createLateCharges, type LateCharges } from '../metering/late-charges.ts';
import { openSessions } from '../realtime/create-realtime.ts';
import type { RealtimeSessions } from '../realtime/realtime-sessions.ts';
import { type Affinity, createAffinity } from '../routing/affinity.ts';
import { openCredentials } from '../routing/pools/open-credentials.ts';
import { createFallback, type Routing, type RoutingVersion } from '../routing/create-fallback.ts';

export interface ServiceParts {
  /** The configuration at the start. */
  config: Config;
  engine: TaskEngine;
  content: ContentStore;
  redis: Redis;
  secret: string;
  logger: Logger;
  metrics: Metrics;
  now: () => number;
  stopping: AbortSignal;
}

/** Parts that live as long as the process. A reload of the configuration keeps them. */
export interface Services extends Omit<ServiceParts, 'config'> {
  newId: (prefix: string) => string;
  storedKeys: StoredApiKeys;
  limiter: Limiter;
  /** The state of the credentials of all pools. */
  credentials: Credentials;
  ledger: Ledger;
  lateCharges: LateCharges;
  webhooks: Webhooks;
  files: FileStore;
  batches: BatchStore;
  groups: GroupStore;
  /** How long a test of a webhook waits for its attempt, in milliseconds. */
  testWaitMs: number;
  tokenCodec: TokenCodec;
  textKeys: TextKeys;
  memory: ReasoningMemory;
  affinity: Affinity;
  routing: Routing;
  sessions: RealtimeSessions;
  spool: Spool;
  /** Replaces the keys of the configuration. */
  setConfiguredKeys: (keys: readonly KeyConfig[]) => void;
}

/** Time that a worker has to claim a webhook test, in addition to the time of the attempt itself. */
const TEST_CLAIM_MS = 10_000;

/** @param version returns what routing reads of the configuration in force */
export async function createServices(
  app: FastifyInstance,
  parts: ServiceParts,
  version: () => RoutingVersion,
): Promise<Services> {
  const { config, redis, secret, logger, metrics, now, stopping } = parts;
  const { prefix } = config.redis;
  const keys = await openKeys(app, parts);
  const limiter = createLimiter(redis, { prefix, maxLedgerEntries: MAX_STREAM_ENTRIES });
  const credentials = await openCredentials({ config, redis, logger, metrics, process: newId('') });
  const ledger = createLedger({ settings: config.ledger, secret, limiter, metrics, logger, now });
  const lateCharges = createLateCharges({ logger, metrics, now });
  app.addHook('onClose', async () => {
    await Promise.all([lateCharges.end(), ledger.end(), credentials.close()]);
  });
  const settings = webhookSettings(config);
  const textKeys = createTextKeys(prefix);
  return {
    ...parts,
    ...keys,
    newId,
    limiter,
    credentials,
    ledger,
    lateCharges,
    files: createFileStore({ redis, prefix, content: parts.content, settings: fileSettings(config), now, randomBytes }),
    batches: createBatchStore({ redis, prefix, settings: batchSettings(config), now, randomBytes }),
    groups: createGroupStore({ redis, prefix, settings: groupSettings(config), now, randomBytes }),
    webhooks: createWebhooks({ redis, prefix, secret, settings, logger, now }),
    testWaitMs: settings.timeoutMs + TEST_CLAIM_MS,
    tokenCodec: createTokenCodec(secret),
    textKeys,
    memory: createReasoningMemory(redis, textKeys, logger),
    affinity: createAffinity({ now, metrics }),
    routing: createFallback({ version, logger, metrics, now }),
    sessions: openSessions(app, config, stopping),
    spool: new Spool(join(config.contentDir, 'spool'), config.limits.spool_bytes),
  };
}

async function openKeys(
  app: FastifyInstance,
  parts: ServiceParts,
): Promise<Pick<Services, 'storedKeys' | 'setConfiguredKeys'>> {
  const { config, engine, logger } = parts;
  const notifyCaps = createCapNotifier(engine, logger);
  let configured: readonly KeyConfig[] = config.keys;
  notifyCaps(configured);
  // Includes the configured keys, because Redis may have been down when their limits were first declared.
  const onRead = (stored: readonly ApiKey[]): void => notifyCaps([...configured, ...stored]);
  const storedKeys = await openStoredApiKeys({ ...parts, randomBytes, onRead });
  app.addHook('onClose', () => storedKeys.known.close());
  return {
    storedKeys,
    setConfiguredKeys(keys) {
      configured = keys;
      notifyCaps(keys);
      storedKeys.setConfigured(keys);
    },
  };
}

/**
 * Node caches the random bytes for `randomUUID`. It is much cheaper than `randomBytes`, which needs a system call per
 * id.
 */
function newId(prefix: string): string {
  return prefix + randomUUID().replaceAll('-', '');
}

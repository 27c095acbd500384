import { randomUUID } from 'node:crypto';
import { type FastifyInstance, type FastifyServerOptions, fastify } from 'fastify';
import { createBatchCounts } from './batches/batch-counts.ts';
import type { BatchVendor } from './batches/batch-vendor.ts';
import { createBlobStore } from './batches/blob-store.ts';
import { createJobLedger } from './jobs/job-ledger.ts';
import { openJournal } from './jobs/journal.ts';
import { createMediaArchive } from './media/media-archive.ts';
import { registerInspection } from './register-inspection.ts';
import { createRequestLog } from './text/request-log.ts';
import { createTextFaults } from './text/text-faults.ts';
import type { TextVendor } from './text/text-vendor.ts';
import { createSecretStore } from './text/secret-store.ts';
import type { MediaVendor } from './wires/media/media-vendor.ts';
import { createAwsSessions } from './text/aws-sessions.ts';
import { createS3Objects } from './batches/s3-objects.ts';
import { registerFiles } from './wires/media/register-files.ts';
import { createAzureFront, registerAzureRefusal } from './wires/azure/azure-front.ts';
import { createEntraTokens } from './wires/azure/entra-tokens.ts';
import { registerEntra } from './wires/azure/register-entra.ts';
import { WIRES } from './wires/wire-table.ts';
import { isRealtimeHandshake } from './wires/realtime/register-realtime.ts';

export interface SandboxOptions {
  /** The API key that clients send, or that they use as the secret to sign requests. Default `sk-sandbox`. */
  apiKey?: string;
  /** The access key (the public half of a key pair) of clients that sign requests. Default `ak-sandbox`. */
  accessKey?: string;
  dataDir?: string;
  /** Render time of a job without `[slow:N]`, in milliseconds. Default 2000. */
  renderMs?: number;
  /** Milliseconds until polls and lists return a new job. If omitted, each vendor API has its own delay. */
  visibleAfterMs?: number;
  /** Limit of running jobs per account, keyed by vendor API. If omitted, there is no limit. */
  concurrency?: Record<string, number>;
  /** Returns the current time, in Unix milliseconds. */
  now?: () => number;
  newId?: () => string;
  logger?: FastifyServerOptions['logger'];
}

export interface Sandbox {
  /** The app does not listen yet. Closing it also closes the journal. */
  app: FastifyInstance;
}

const JSON_BYTES = 64 * 1024 ** 2;
const ARCHIVE_BYTES = 64 * 1024 ** 2;

/** @throws the file system error if the data folder is unusable. */
export async function buildSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const {
    apiKey = 'sk-sandbox',
    accessKey = 'ak-sandbox',
    dataDir,
    renderMs = 2000,
    now = Date.now,
    logger = false,
  } = options;
  const { visibleAfterMs, concurrency = {}, newId = () => randomUUID().replaceAll('-', '') } = options;
  const tokens = createEntraTokens(now);
  const azure = createAzureFront({ apiKey, tokens });
  const app = fastify({
    logger,
    rewriteUrl: azure.rewrite,
    bodyLimit: JSON_BYTES,
    genReqId: () => `req_${newId()}`,
    // Clients may hold connections open forever, so closing must not wait for them.
    forceCloseConnections: true,
    http: { shouldUpgradeCallback: (request) => isRealtimeHandshake(request, azure.isAllowed) },
  });
  const journal = openJournal(dataDir);
  app.addHook('onClose', () => journal.close());
  if (journal.unreadable > 0) app.log.warn(`skipped ${journal.unreadable} unreadable lines of the journal`);
  const blobs = createBlobStore(dataDir);
  app.addHook('onClose', () => blobs.close());
  const ledger = createJobLedger(journal);
  const archive = createMediaArchive(ARCHIVE_BYTES);
  const log = createRequestLog(now);
  const text: TextVendor = {
    apiKey,
    accessKey,
    awsSessions: createAwsSessions(now, newId),
    now,
    newId,
    secretStore: createSecretStore(apiKey),
    faults: createTextFaults(),
    log,
  };
  const own = { apiKey, accessKey, renderMs, visibleAfterMs, concurrency };
  const media: MediaVendor = { ledger, archive, ...own, now, newId };
  const shared = { blobs, counts: createBatchCounts(), s3: createS3Objects() };
  const batches: BatchVendor = { apiKey, renderMs, now, newId, ...shared };
  registerInspection(app, { ledger, log, batchCounts: batches.counts });
  registerFiles(app, media);
  registerAzureRefusal(app);
  registerEntra(app, { apiKey, now, tokens });
  for (const { prefix, register } of WIRES) {
    await app.register(async (scope) => register(scope, text, media, batches), { prefix });
  }
  return { app };
}

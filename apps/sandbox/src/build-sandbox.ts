import { randomUUID } from 'node:crypto';
import { type FastifyInstance, type FastifyServerOptions, fastify } from 'fastify';
import { createJobLedger } from './jobs/job-ledger.ts';
import { openJournal } from './jobs/journal.ts';
import type { Wire } from './jobs/wire.ts';
import { createMediaArchive } from './media/media-archive.ts';
import { registerInspection } from './register-inspection.ts';
import { registerTextInspection } from './text/register-text-inspection.ts';
import { createRequestLog } from './text/request-log.ts';
import { createTextFaults } from './text/text-faults.ts';
import type { TextVendor } from './text/text-vendor.ts';
import { createSecretStore } from './text/secret-store.ts';
import { registerArk } from './wires/ark/register-ark.ts';
import { registerAudio } from './wires/audio/register-audio.ts';
import { registerChatCompletions } from './wires/chat-completions/register-chat-completions.ts';
import { registerCohere } from './wires/cohere/register-cohere.ts';
import { registerDashscope } from './wires/dashscope/register-dashscope.ts';
import { registerEmbeddings } from './wires/embeddings/register-embeddings.ts';
import { registerFal } from './wires/fal/register-fal.ts';
import { registerFalRun } from './wires/fal/register-fal-run.ts';
import { registerGenerativeContent } from './wires/generative-content/register-generative-content.ts';
import { registerImages } from './wires/images/register-images.ts';
import { registerJina } from './wires/jina/register-jina.ts';
import type { MediaVendor } from './wires/media/media-vendor.ts';
import { registerFiles } from './wires/media/register-files.ts';
import { registerMessages } from './wires/messages/register-messages.ts';
import { registerMinimax } from './wires/minimax/register-minimax.ts';
import { registerModerations } from './wires/moderations/register-moderations.ts';
import { registerProviderA } from './wires/provider-a/register-provider-a.ts';
import { registerProviderB } from './wires/provider-b/register-provider-b.ts';
import { isRealtimeHandshake } from './wires/realtime/is-realtime-handshake.ts';
import { registerRealtime } from './wires/realtime/register-realtime.ts';
import { registerReplicate } from './wires/replicate/register-replicate.ts';
import { registerResponses } from './wires/responses/register-responses.ts';
import { registerRunway } from './wires/runway/register-runway.ts';
import { registerTei } from './wires/tei/register-tei.ts';
import { registerVeo } from './wires/veo/register-veo.ts';
import { registerVideos } from './wires/videos/register-videos.ts';
import { registerVidu } from './wires/vidu/register-vidu.ts';

export interface SandboxOptions {
  /** The key that clients send or sign with. Default `sk-sandbox`. */
  apiKey?: string;
  /** The public half of a signing client's key. Default `ak-sandbox`. */
  accessKey?: string;
  dataDir?: string;
  /** Render time of a job without `[slow:N]`, in milliseconds. Default 2000. */
  renderMs?: number;
  /** How long polls and lists do not find a new job, in milliseconds. Absent: each wire's own lag. */
  visibleAfterMs?: number;
  /** Running jobs per account and wire. Absent: any number. */
  concurrency?: Partial<Record<Wire, number>>;
  /** Unix milliseconds. */
  now?: () => number;
  newId?: () => string;
  logger?: FastifyServerOptions['logger'];
}

export interface Sandbox {
  /** Not listening yet. Closing it closes the journal. */
  app: FastifyInstance;
}

const JSON_BYTES = 64 * 1024 ** 2;
const ARCHIVE_BYTES = 64 * 1024 ** 2;

/** @throws the file system's error if the data folder cannot be used. */
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
  const app = fastify({
    logger,
    bodyLimit: JSON_BYTES,
    genReqId: () => `req_${newId()}`,
    // Clients may hold connections open forever; closing must not wait for them.
    forceCloseConnections: true,
    http: { shouldUpgradeCallback: isRealtimeHandshake },
  });
  const journal = openJournal(dataDir);
  app.addHook('onClose', () => journal.close());
  if (journal.unreadable > 0) app.log.warn(`skipped ${journal.unreadable} unreadable lines of the journal`);
  const ledger = createJobLedger(journal);
  const archive = createMediaArchive(ARCHIVE_BYTES);
  const log = createRequestLog(now);
  const text: TextVendor = {
    apiKey,
    now,
    newId,
    secretStore: createSecretStore(apiKey),
    faults: createTextFaults(),
    log,
  };
  const own = { apiKey, accessKey, renderMs, visibleAfterMs, concurrency };
  const media: MediaVendor = { ledger, archive, ...own, now, newId };
  registerInspection(app, ledger);
  registerTextInspection(app, log);
  const textWires = [
    registerChatCompletions,
    registerResponses,
    registerMessages,
    registerEmbeddings,
    registerModerations,
  ];
  for (const openTextScope of textWires) {
    await app.register(async (scope) => openTextScope(scope, text), { prefix: '/v1' });
  }
  await app.register(async (scope) => registerCohere(scope, text), { prefix: '/cohere' });
  await app.register(async (scope) => registerJina(scope, text), { prefix: '/jina' });
  await app.register(async (scope) => registerTei(scope, text), { prefix: '/tei' });
  for (const prefix of ['/v1beta', '/v1']) {
    await app.register(async (scope) => registerGenerativeContent(scope, text, media), { prefix });
  }
  await app.register((scope) => registerAudio(scope, text), { prefix: '/v1/audio' });
  await app.register((scope) => registerRealtime(scope, text), { prefix: '/v1' });
  registerFiles(app, media);
  await app.register((scope) => registerVideos(scope, media), { prefix: '/v1' });
  await app.register((scope) => registerImages(scope, media), { prefix: '/v1/images' });
  await app.register(async (scope) => registerVeo(scope, media), { prefix: '/v1beta' });
  await app.register(async (scope) => registerRunway(scope, media), { prefix: '/runway' });
  await app.register(async (scope) => registerProviderA(scope, media), { prefix: '/kling' });
  await app.register(async (scope) => registerProviderB(scope, media));
  await app.register(async (scope) => registerDashscope(scope, media), { prefix: '/dashscope' });
  await app.register(async (scope) => registerArk(scope, media), { prefix: '/ark/api/v3' });
  await app.register((scope) => registerMinimax(scope, media), { prefix: '/minimax' });
  await app.register(async (scope) => registerVidu(scope, media), { prefix: '/vidu/ent/v2' });
  await app.register(async (scope) => registerFal(scope, media), { prefix: '/fal' });
  await app.register(async (scope) => registerFalRun(scope, media), { prefix: '/fal-run' });
  await app.register(async (scope) => registerReplicate(scope, media), { prefix: '/replicate' });
  return { app };
}

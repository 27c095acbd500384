import type { VideoCapability } from '@sluice/canonical';
import { accountCaps, loadConfig, taskSettings } from '@sluice/config';
import { createLocalContentStore } from '@sluice/content';
import { createTaskWorker } from '@sluice/tasks';
import { createLogger } from '@sluice/telemetry';
import { respondToRequests, announceReady } from './requests.ts';

/**
 * Runs the real engine and a scripted vendor in one process, without HTTP, to measure the engine's cost. The real
 * worker's additional cost is the cost of HTTP.
 */
let intervalMs = 5_000;
let polls = 0;
const submitted: Record<string, string> = {};
const JITTER = 0.15;

const video: VideoCapability = {
  baseUrl: 'http://127.0.0.1',
  account: 'bench',
  review: () => ({}),
  submit(submission) {
    submitted[submission.taskId] = String(process.hrtime.bigint());
    return Promise.resolve({ kind: 'accepted', upstreamId: submission.taskId });
  },
  poll() {
    polls += 1;
    const retryAfterMs = Math.round(intervalMs * (1 - JITTER + 2 * JITTER * Math.random()));
    return Promise.resolve({ kind: 'running', progress: 10, retryAfterMs });
  },
  openContent: () => Promise.resolve({ kind: 'expired', message: 'no content' }),
};

respondToRequests({
  setInterval: (ms) => (intervalMs = Number(ms)),
  polls: () => polls,
  submitted: () => submitted,
});

const config = await loadConfig({ env: process.env, cwd: process.cwd() });
await createTaskWorker({
  redis: { url: process.env.REDIS_URL ?? '' },
  prefix: config.redis.prefix,
  accounts: Object.fromEntries(Object.entries(accountCaps(config)).map(([name, caps]) => [name, { ...caps, video }])),
  content: createLocalContentStore(config.contentDir),
  fetchInput: () => Promise.reject(new Error('no input is fetched here')),
  settings: taskSettings(config),
  logger: createLogger({ level: config.log.level, name: 'worker' }),
});
announceReady();

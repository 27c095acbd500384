import type { Config } from '@sluice/config';
import { createLocalContentStore } from '@sluice/content';
import { createLogger, createMetrics } from '@sluice/telemetry';
import { openUpstreamConnections } from '@sluice/upstreams';
import { startBackground, type StartBackgroundOptions } from '../../../worker/src/background/start-background.ts';
import { openInternalApi } from '../../src/internal/open-internal-api.ts';
import { RIG_SECRET } from './rig-secret.ts';

/** A worker that runs the background responses of a rig's API. */
export interface BackgroundWorker {
  /** All log lines written since the start. */
  logs(): string;
  /** Returns responses in flight to the queue. */
  close(): Promise<void>;
}

/** Short, but longer than a busy machine delays a heartbeat. */
const TIMING = { idleMs: 20, leaseMs: 3_000, heartbeatMs: 100 };

export async function backgroundWorker(
  { config, tasks }: { config: Config; tasks: { redisUrl: string } },
  timing: StartBackgroundOptions['timing'] = {},
): Promise<BackgroundWorker> {
  const lines: string[] = [];
  const logger = createLogger({
    level: 'trace',
    name: 'worker',
    pretty: false,
    destination: { write: (line) => void lines.push(line) },
  });
  const connections = openUpstreamConnections();
  const settings = { url: tasks.redisUrl };
  const api = await openInternalApi({
    config,
    redis: settings,
    content: createLocalContentStore(config.contentDir),
    connections,
    secret: RIG_SECRET,
    logger,
    metrics: createMetrics(),
  });
  const started = startBackground({ config, settings, serve: api.serve, logger, timing: { ...TIMING, ...timing } });
  return {
    logs: () => lines.join(''),
    async close() {
      await started.close(0);
      await api.close(0);
      await connections.close();
    },
  };
}

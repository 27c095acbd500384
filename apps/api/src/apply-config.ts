import { secretsOf, upstreamSettings } from '@sluice/config';
import type { ApplyConfig } from '@sluice/reload';
import type { TaskEngine } from '@sluice/tasks';
import { type Logger, maskSecrets, type Tracing } from '@sluice/telemetry';
import { buildUpstreams, type UpstreamConnections } from '@sluice/upstreams';
import type { Api } from './build-api.ts';
import { engineSettings } from './server/engine-settings.ts';

export interface ApplyDeps {
  api: Pick<Api, 'apply' | 'recordReload'>;
  engine: Pick<TaskEngine, 'update'>;
  connections: UpstreamConnections;
  tracing: Tracing | undefined;
  logger: Logger;
}

/** Returns a function that swaps the configuration of an API process between two requests. */
export function configApplier({ api, engine, connections, tracing, logger }: ApplyDeps): ApplyConfig {
  return async (difference, facts) => {
    const { applicable, upstreams: changed } = difference;
    // Masked before the first call that uses them.
    maskSecrets(logger, secretsOf(applicable));
    const upstreams = buildUpstreams({ ...upstreamSettings(applicable), logger, connections });
    await api.apply(applicable, upstreams, changed);
    engine.update(engineSettings(applicable));
    tracing?.setUpstreams(applicable.upstreams);
    connections.keepOnly(upstreamSettings(applicable).upstreams);
    logger.level = applicable.log.level;
    api.recordReload(facts, difference);
  };
}

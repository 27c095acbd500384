import type { InternalRequest, InternalResponse, OpenedInternalApi, OpenInternalApiOptions } from '@sluice/api';
import type { Config } from '@sluice/config';
import { limitHeapGrowth } from '@sluice/lifecycle';
import { createMetrics, type WorkerMetrics } from '@sluice/telemetry';

export interface LazyInternalApi {
  /** Starts the API, unless it has started. */
  start(this: void): Promise<void>;
  /**
   * Serves a stored request. The first call starts the API.
   * @throws GatewayError `invalid_api_key` if the owner's key does not exist any more
   */
  serve(this: void, request: InternalRequest): Promise<InternalResponse>;
  /** Serves later requests with another configuration. */
  apply(config: Config, changed: readonly string[]): Promise<void>;
  close(graceMs: number): Promise<void>;
}

export interface LazyInternalApiOptions extends Omit<OpenInternalApiOptions, 'metrics'> {
  metrics: Pick<WorkerMetrics, 'include'> | undefined;
}

/** Loads the API with the first stored request, because many workers only run media tasks. */
export function lazyInternalApi(options: LazyInternalApiOptions): LazyInternalApi {
  let { config } = options;
  let opened: Promise<OpenedInternalApi> | undefined;

  async function open(): Promise<OpenedInternalApi> {
    const { openInternalApi } = await import('@sluice/api');
    limitHeapGrowth();
    const metrics = createMetrics();
    const api = await openInternalApi({ ...options, config, metrics });
    options.metrics?.include(metrics.snapshot);
    return api;
  }

  function openOnce(): Promise<OpenedInternalApi> {
    opened ??= open().catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  }

  /** A start that fails has been reported to its caller. */
  async function ifOpened(): Promise<OpenedInternalApi | undefined> {
    return opened?.catch(() => undefined);
  }

  return {
    async start() {
      await openOnce();
    },
    async serve(request) {
      const { serve } = await openOnce();
      return serve(request);
    },
    async apply(next, changed) {
      config = next;
      const api = await ifOpened();
      await api?.apply(next, changed);
    },
    async close(graceMs) {
      const api = await ifOpened();
      await api?.close(graceMs);
    },
  };
}

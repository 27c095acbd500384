import type { Logger } from 'pino';

export interface TracingOptions {
  env: Readonly<Record<string, string | undefined>>;
  /** The default of `OTEL_SERVICE_NAME` (e.g. `sluice-api`). */
  service: string;
  version: string;
  upstreams: Readonly<Record<string, { kind: string; base_url: string }>>;
  logger: Pick<Logger, 'debug' | 'info' | 'warn'>;
}

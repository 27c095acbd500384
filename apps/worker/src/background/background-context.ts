import type { OpenedInternalApi } from '@sluice/api';
import type { Config } from '@sluice/config';
import type { Limiter } from '@sluice/limits';
import type { EventLog, ResponseJobs, ResponseRecords } from '@sluice/responses';
import type { Logger } from '@sluice/telemetry';

/** Times in milliseconds. Tests use short values. */
export interface BackgroundTiming {
  /** Interval between checks for due jobs. */
  idleMs: number;
  /** Time after which another worker claims the job of a worker that died. */
  leaseMs: number;
  /** Interval at which a worker renews its claims, and notices that a client has canceled the response. */
  heartbeatMs: number;
}

export interface BackgroundContext {
  jobs: ResponseJobs;
  records: Pick<ResponseRecords, 'read'>;
  log: Pick<EventLog, 'read'>;
  limiter: Pick<Limiter, 'recordUsage' | 'charge'>;
  serve: OpenedInternalApi['serve'];
  /** The settings in force. */
  settings: () => Config['responses'];
  timing: BackgroundTiming;
  logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  now: () => number;
}

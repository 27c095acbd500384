import type { ModelCatalog } from '@sluice/config';
import type { Credentials } from '@sluice/limits';
import type { Logger, Metrics } from '@sluice/telemetry';
import type { Upstreams } from '@sluice/upstreams';
import type { CallerOf } from '../auth/authenticate.ts';
import type { Charges } from '../metering/charges.ts';
import type { OpenFallback } from '../routing/create-fallback.ts';
import type { AcceptSocket } from './accept-socket.ts';
import type { CheckOrigin } from './check-origin.ts';
import type { RealtimeSessions } from './realtime-sessions.ts';
import type { SessionLimits } from './relay-session.ts';

export interface RealtimeDeps {
  catalog: ModelCatalog;
  accounts: Upstreams['accounts'];
  credentials: Credentials;
  charges: Charges;
  callerOf: CallerOf;
  fallback: OpenFallback;
  newId: (prefix: string) => string;
  logger: Logger;
  metrics: Metrics;
  accept: AcceptSocket;
  checkOrigin: CheckOrigin;
  sessions: RealtimeSessions;
  limits: SessionLimits;
  defaultModel: string | undefined;
}

import type { DirectDeps } from '../direct/direct-services.ts';
import type { AcceptSocket } from './accept-socket.ts';
import type { CheckOrigin } from './check-origin.ts';
import type { SessionLimits } from './relay-session.ts';
import type { RealtimeSessions } from './realtime-sessions.ts';

/** What realtime sessions are served with. */
export interface RealtimeDeps extends Pick<
  DirectDeps,
  'catalog' | 'accounts' | 'charges' | 'fallback' | 'newId' | 'logger' | 'metrics'
> {
  accept: AcceptSocket;
  checkOrigin: CheckOrigin;
  sessions: RealtimeSessions;
  limits: SessionLimits;
  /** The model of sessions that name none. */
  defaultModel: string | undefined;
}

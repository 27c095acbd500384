import type { MetricsSnapshot } from '@sluice/telemetry';

/** Messages from an API process to the primary, in addition to `ready`. */
export type MessageToPrimary =
  | { type: 'collect'; id: number; own: MetricsSnapshot }
  | { type: 'report'; id: number; own: MetricsSnapshot };

export type MessageFromPrimary =
  /** Requests the metrics of the process. */
  | { type: 'report'; id: number }
  /** The metrics of all other processes, including those that have ended. */
  | { type: 'collected'; id: number; others: MetricsSnapshot[] }
  /** Sent when a process begins or ends. `isComplete` means that all configured processes serve. */
  | { type: 'running'; isComplete: boolean }
  /** Has the effect of SIGTERM, but after the connections that were sent before. */
  | { type: 'stop' };

export type { AttemptLabels, UpstreamMetrics } from './upstream-metrics.ts';
export * from './create-logger.ts';
export * from './create-metrics.ts';
export * from './create-worker-metrics.ts';
export { LogLine } from './log-line.ts';
export * from './metrics-snapshot.ts';
export { messageHash, redactText, redactUrl } from './redact.ts';
export * from './process-lines-level.ts';

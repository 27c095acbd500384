export * from './create-logger.ts';
export * from './create-metrics.ts';
export { messageHash, redactText, redactUrl } from './redact.ts';
export * from './process-lines-level.ts';

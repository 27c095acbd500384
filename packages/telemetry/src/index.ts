export * from './create-logger.ts';
export * from './create-metrics.ts';
export { redactText, redactUrl } from './redact.ts';

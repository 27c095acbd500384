import { readOtelSettings } from './tracing/otel-settings.ts';
import type { TracingOptions } from './tracing/tracing-options.ts';
import type { Tracing } from './tracing/tracing.ts';

/** Loads OpenTelemetry only if it is configured, because it needs memory. @returns undefined if it is not */
export async function loadTracing(options: TracingOptions): Promise<Tracing | undefined> {
  const settings = readOtelSettings(options.env);
  if (!settings) return undefined;
  for (const warning of settings.warnings) options.logger.warn(warning);
  const { createTracing } = await import('./tracing/otel/create-tracing.ts');
  return createTracing({ ...options, settings });
}

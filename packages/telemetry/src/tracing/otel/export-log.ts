import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import type { TracingOptions } from '../tracing-options.ts';

type ExportFunction<T> = (data: T, onResult: (result: ExportResult) => void) => void;

/** Wraps an exporter's `export`, and logs when the collector becomes unreachable and reachable, once for each change. */
export function loggedExport<T>(
  exporter: { export: ExportFunction<T> },
  what: 'traces' | 'metrics',
  logger: TracingOptions['logger'],
): void {
  const send = exporter.export.bind(exporter);
  let isFailing = false;
  exporter.export = (data, onResult) =>
    send(data, (result) => {
      const failed = result.code !== ExportResultCode.SUCCESS;
      if (failed && !isFailing) logger.warn({ err: result.error }, `${what} could not be exported`);
      if (!failed && isFailing) logger.info(`${what} are exported again`);
      isFailing = failed;
      onResult(result);
    });
}

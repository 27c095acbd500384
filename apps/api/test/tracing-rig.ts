import { createLogger, loadTracing } from '@sluice/telemetry';
import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from '@sluice/testkit';
import { expect, vi } from 'vitest';
import { type ScriptedUpstream, scriptedUpstream, type TextRig, textRig } from './text-rig.ts';

export interface TracingRig {
  rig: TextRig;
  collector: OtlpReceiver;
  /** Two vendors, which the models try in this order. */
  first: ScriptedUpstream;
  second: ScriptedUpstream;
  /** The log lines of the exporters. */
  exportLogs: string[];
  /** Waits until spans with these names have arrived, and returns all spans by name. */
  spans(...names: string[]): Promise<Record<string, ReceivedSpan>>;
  close(): Promise<void>;
}

/** Starts an API that exports its spans. The exporter reads the environment variables itself. */
export async function tracingRig(variables: Record<string, string> = {}): Promise<TracingRig> {
  const collector = await startOtlpReceiver();
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_SCHEDULE_DELAY: '20',
    OTEL_METRIC_EXPORT_INTERVAL: '50',
    ...variables,
  };
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  const [first, second] = await Promise.all([1, 2].map(() => scriptedUpstream((_request, response) => response.end())));
  if (!first || !second) throw new Error('both vendors have started');
  const upstreams = {
    first: { kind: 'chat-completions', base_url: `${first.url}/v1`, api_key: 'sk-vendor-1' },
    second: { kind: 'messages', base_url: second.url, api_key: 'sk-vendor-2' },
  };
  const exportLogs: string[] = [];
  const destination = { write: (line: string) => void exportLogs.push(line) };
  const logger = createLogger({ level: 'info', name: 'test', destination });
  const tracing = await loadTracing({ env, service: 'sluice-api', version: '1.2.3', upstreams, logger });
  const models = [
    { id: 'relayed', routes: [{ upstream: 'first', model: 'gpt-4.1' }] },
    {
      id: 'both',
      routes: [
        { upstream: 'first', model: 'gpt-4.1' },
        { upstream: 'second', model: 'claude-4' },
      ],
    },
  ];
  const rig = await textRig({ upstreams, models }, { tracing });
  return {
    rig,
    collector,
    first,
    second,
    exportLogs,
    spans: async (...names) => {
      const received = () => collector.spans.map(({ name }) => name);
      await expect.poll(received).toEqual(expect.arrayContaining(names));
      return Object.fromEntries(collector.spans.map((span) => [span.name, span]));
    },
    close: async () => {
      await rig.close();
      await Promise.all([first.close(), second.close(), collector.close()]);
      vi.unstubAllEnvs();
    },
  };
}

import { afterEach, describe, expect, it, vi } from 'vitest';
import { createLogger } from './create-logger.ts';
import { loadTracing } from './load-tracing.ts';

afterEach(() => vi.unstubAllEnvs());

/** Loads tracing with these variables, closes it, and returns the warnings. */
async function warningsOf(variables: Record<string, string>): Promise<string[]> {
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', ...variables };
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const logger = createLogger({ level: 'warn', name: 'test', destination });
  const tracing = await loadTracing({ env, service: 'sluice-api', version: '1.2.3', upstreams: {}, logger });
  await tracing?.close();
  return lines.map((line) => (JSON.parse(line) as { msg: string }).msg);
}

describe('an invalid value', () => {
  it.each([
    ['OTEL_TRACES_SAMPLER', 'jaeger_remote', /^OTEL_TRACES_SAMPLER does not support `jaeger_remote`/],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'nonsense', /not a valid URL|Could not parse/],
    ['OTEL_EXPORTER_OTLP_TIMEOUT', 'soon', /soon/],
    ['OTEL_EXPORTER_OTLP_COMPRESSION', 'brotli', /COMPRESSION is invalid/],
    ['OTEL_EXPORTER_OTLP_CERTIFICATE', '/no/such/file', /certificate/],
  ])('of %s is logged', async (name, value, message) => {
    expect(await warningsOf({ [name]: value })).toEqual([expect.stringMatching(message)]);
  });

  it('of an endpoint is logged without its password', async () => {
    const warnings = await warningsOf({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://user:hidden-word@[bad' });
    expect(warnings.join()).toContain('http://');
    expect(warnings.join()).not.toContain('hidden-word');
  });
});

it('logs nothing about valid values', async () => {
  const valid = { OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20x', OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip' };
  expect(await warningsOf(valid)).toEqual([]);
});

import { describe, expect, it } from 'vitest';
import { readOtelSettings } from './otel-settings.ts';

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };

describe('readOtelSettings', () => {
  it.each([
    ['nothing is configured', {}],
    ['the exporter is none', { ...ENDPOINT, OTEL_TRACES_EXPORTER: 'none' }],
    ['the SDK is disabled', { ...ENDPOINT, OTEL_SDK_DISABLED: 'true' }],
    ['variables are empty', { OTEL_EXPORTER_OTLP_ENDPOINT: '', OTEL_TRACES_EXPORTER: ' ' }],
  ])('returns undefined if %s', (_what, env) => expect(readOtelSettings(env)).toBeUndefined());

  it('exports traces, but no metrics, to an endpoint for both', () => {
    const settings = readOtelSettings(ENDPOINT);
    expect(settings).toMatchObject({ metrics: undefined, contentChars: 0, usesLatestNames: false, warnings: [] });
    expect(settings?.traces).toMatchObject({
      exporter: 'otlp',
      encoding: 'http/protobuf',
      sampler: { root: 'always_on', isParentBased: true },
      propagators: ['tracecontext'],
    });
  });

  it('exports metrics without traces', () => {
    const settings = readOtelSettings({ OTEL_METRICS_EXPORTER: 'otlp', OTEL_METRIC_EXPORT_INTERVAL: '500' });
    expect(settings?.traces).toBeUndefined();
    expect(settings?.metrics).toEqual({ encoding: 'http/protobuf', intervalMs: 500, timeoutMs: 500 });
  });

  it('reads the sampler, the propagators, and the encoding', () => {
    const settings = readOtelSettings({
      ...ENDPOINT,
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.1',
      OTEL_PROPAGATORS: 'b3multi,tracecontext,baggage',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_SEMCONV_STABILITY_OPT_IN: 'http,gen_ai_latest_experimental',
      OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'TRUE',
      OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT: '100',
    });
    expect(settings?.traces).toMatchObject({
      encoding: 'http/json',
      sampler: { root: 'traceidratio', ratio: 0.1, isParentBased: false },
      propagators: ['tracecontext', 'b3multi'],
    });
    expect(settings).toMatchObject({ usesLatestNames: true, contentChars: 100, warnings: [] });
  });

  it('does not propagate traces if the propagator is none', () => {
    expect(readOtelSettings({ ...ENDPOINT, OTEL_PROPAGATORS: 'none' })?.traces?.propagators).toEqual([]);
  });

  it.each([
    ['OTEL_TRACES_SAMPLER', 'jaeger_remote'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
    ['OTEL_TRACES_EXPORTER', 'zipkin'],
    ['OTEL_BSP_MAX_QUEUE_SIZE', '-1'],
    ['OTEL_PROPAGATORS', 'xray'],
    ['OTEL_SDK_DISABLED', 'yes'],
    ['OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT', '1'],
    ['OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT', 'many'],
  ])('warns about %s=%s, and uses the default', (name, value) => {
    const settings = readOtelSettings({ ...ENDPOINT, [name]: value });
    expect(settings?.warnings).toEqual([expect.stringContaining(name)]);
    expect(settings?.traces).toBeDefined();
  });

  it('warns about a ratio above 1', () => {
    const sampler = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '10' };
    const settings = readOtelSettings({ ...ENDPOINT, ...sampler });
    expect(settings?.traces?.sampler.ratio).toBe(1);
    expect(settings?.warnings).toEqual([expect.stringContaining('OTEL_TRACES_SAMPLER_ARG')]);
  });
});

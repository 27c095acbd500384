import { describe, expect, it } from 'vitest';
import { createMetrics } from './create-metrics.ts';

describe('createMetrics', () => {
  it('renders counters and histograms', async () => {
    const metrics = createMetrics();
    const labels = { method: 'GET', route: '/v1/videos/:id', status: '200' };
    metrics.httpRequests.inc(labels);
    metrics.httpDuration.observe(labels, 0.02);
    metrics.httpInFlight.inc();
    const text = await metrics.render();
    expect(text).toContain('sluice_http_requests_total{method="GET",route="/v1/videos/:id",status="200"} 1');
    expect(text).toContain('sluice_http_request_duration_seconds_bucket{le="0.025",');
    expect(text).toContain(
      'sluice_http_request_duration_seconds_bucket{le="0.01",method="GET",route="/v1/videos/:id",status="200"} 0',
    );
    expect(text).toContain('sluice_http_requests_in_flight 1');
  });

  it('renders OpenMetrics with exemplars', async () => {
    const metrics = createMetrics();
    const labels = { upstream: 'vendor', model: 'text', operation: 'text' };
    metrics.timeToFirstEvent.observe(labels, 0.03, 'trace-one');
    metrics.timeToFirstEvent.observe(labels, 0.035, 'trace-two');
    metrics.httpRequests.inc({ method: 'GET', route: '/v1/models', status: '200' });
    const appended = [{ name: 'more_total', help: 'More.', type: 'counter', values: [{ labels: {}, value: 2 }] }];
    const text = await metrics.render({ format: 'openmetrics', appended });
    expect(text).toMatch(/_bucket\{le="0.04",.*\} 2 # \{trace_id="trace-two"\} 0.035 \d+/);
    expect(text).toContain('# TYPE sluice_http_requests counter');
    expect(text).toContain('sluice_http_requests_total{method="GET",route="/v1/models",status="200"} 1');
    expect(text).toContain('more_total 2');
    expect(text).toMatch(/\n# EOF\n$/);
    expect(await metrics.render()).not.toContain('trace-two');
  });

  it('isolates two sets', async () => {
    const [one, other] = [createMetrics(), createMetrics()];
    one.httpInFlight.inc();
    expect(await other.render()).toContain('sluice_http_requests_in_flight 0');
  });

  it('measures the process only on demand', async () => {
    expect(await createMetrics().render()).not.toContain('process_cpu');
    expect(await createMetrics({ processMetrics: true }).render()).toContain('process_cpu_seconds_total');
  });
});

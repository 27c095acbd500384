import type { JobStats } from '@sluice/responses';
import type { MetricFamily } from '@sluice/telemetry';
import { gauge } from './families.ts';

export function responseMetrics(stats: JobStats): MetricFamily[] {
  const series = Object.entries(stats).map(([state, value]) => ({ labels: { state }, value }));
  return [gauge('sluice_background_responses', 'Background responses that have not ended, by state.', series)];
}

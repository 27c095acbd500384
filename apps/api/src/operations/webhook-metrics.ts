import type { MetricFamily } from '@sluice/telemetry';
import type { WebhookStats } from '@sluice/webhooks';
import { counter, gauge } from './families.ts';

export function webhookMetrics({ pending, delivered, failed, attempts }: WebhookStats): MetricFamily[] {
  return [
    gauge('sluice_webhook_deliveries_pending', 'Webhook deliveries in progress.', pending),
    counter('sluice_webhook_deliveries_total', 'Finished webhook deliveries.', [
      { labels: { outcome: 'delivered' }, value: delivered },
      { labels: { outcome: 'failed' }, value: failed },
    ]),
    counter(
      'sluice_webhook_attempts_total',
      'Delivery attempts by response status or failure.',
      Object.entries(attempts).map(([result, value]) => ({ labels: { result }, value })),
    ),
  ];
}

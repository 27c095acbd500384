import type { WebhookStats } from '@sluice/webhooks';

export function webhookMetrics({ pending, delivered, failed, attempts }: WebhookStats): string {
  return [
    '# HELP sluice_webhook_deliveries_pending Webhook deliveries in progress.',
    '# TYPE sluice_webhook_deliveries_pending gauge',
    `sluice_webhook_deliveries_pending ${pending}`,
    '# HELP sluice_webhook_deliveries_total Finished webhook deliveries.',
    '# TYPE sluice_webhook_deliveries_total counter',
    `sluice_webhook_deliveries_total{outcome="delivered"} ${delivered}`,
    `sluice_webhook_deliveries_total{outcome="failed"} ${failed}`,
    '# HELP sluice_webhook_attempts_total Delivery attempts by response status or failure.',
    '# TYPE sluice_webhook_attempts_total counter',
    ...Object.entries(attempts).map(([result, count]) => `sluice_webhook_attempts_total{result="${result}"} ${count}`),
    '',
  ].join('\n');
}

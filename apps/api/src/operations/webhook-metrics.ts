import type { WebhookStats } from '@sluice/webhooks';

/** Writes the numbers of webhooks in the text format of Prometheus. */
export function webhookMetrics({ pending, delivered, failed, attempts }: WebhookStats): string {
  return [
    '# HELP sluice_webhook_deliveries_pending Webhook deliveries on their way.',
    '# TYPE sluice_webhook_deliveries_pending gauge',
    `sluice_webhook_deliveries_pending ${pending}`,
    '# HELP sluice_webhook_deliveries_total Webhook deliveries that have ended.',
    '# TYPE sluice_webhook_deliveries_total counter',
    `sluice_webhook_deliveries_total{outcome="delivered"} ${delivered}`,
    `sluice_webhook_deliveries_total{outcome="failed"} ${failed}`,
    '# HELP sluice_webhook_attempts_total Attempts to deliver, by answer or failure.',
    '# TYPE sluice_webhook_attempts_total counter',
    ...Object.entries(attempts).map(([result, count]) => `sluice_webhook_attempts_total{result="${result}"} ${count}`),
    '',
  ].join('\n');
}

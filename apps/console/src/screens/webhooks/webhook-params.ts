/** Parameters of the screen in the URL: the filter of deliveries, and the delivery that is shown. */
export const WEBHOOK_PARAMS = ['key', 'webhook', 'delivery', 'after'] as const;

import { GatewayError } from '@sluice/canonical';

export function webhookNotFound(): GatewayError {
  return new GatewayError(
    'webhook_not_found',
    'The webhook does not exist. List the webhooks to see the existing ones.',
  );
}

/** The cursor of a list is well-formed, but no longer or never was the id of an item. */
export function cursorNotFound(item: 'webhook' | 'delivery'): GatewayError {
  const what = `\`after\` must be the id of an existing ${item}. Remove it to start at the first page.`;
  return new GatewayError('webhook_not_found', what, { param: 'after' });
}

export function deliveryNotFound(): GatewayError {
  return new GatewayError(
    'webhook_not_found',
    'The delivery does not exist. List the deliveries to see the existing ones.',
  );
}

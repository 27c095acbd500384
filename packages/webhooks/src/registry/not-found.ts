import { GatewayError } from '@sluice/canonical';

export function webhookNotFound(): GatewayError {
  return new GatewayError(
    'webhook_not_found',
    'The webhook does not exist. List the webhooks to see the existing ones.',
  );
}

export function deliveryNotFound(): GatewayError {
  return new GatewayError(
    'webhook_not_found',
    'The delivery does not exist. List the deliveries to see the existing ones.',
  );
}

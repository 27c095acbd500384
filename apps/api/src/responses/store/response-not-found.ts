import { GatewayError } from '@sluice/canonical';
import { printable } from '../../http/printable.ts';

export function responseNotFound(id: string): GatewayError {
  return new GatewayError('response_not_found', `Response ${printable(id)} does not exist.`);
}

export function previousResponseNotFound(id: string): GatewayError {
  const what = `Previous response ${printable(id)} does not exist. Send the conversation itself.`;
  return new GatewayError('previous_response_not_found', what, { param: 'previous_response_id' });
}

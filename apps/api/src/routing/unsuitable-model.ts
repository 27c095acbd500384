import { GatewayError } from '@sluice/canonical';
import { printable } from '../http/printable.ts';

/** @param purpose what the model cannot do (e.g. `generate videos`) */
export function unsuitableModel(model: string, purpose: string, param = 'model'): GatewayError {
  return new GatewayError('invalid_request', `Model ${printable(model)} does not ${purpose}.`, { param });
}

import { GatewayError } from '@sluice/canonical';

/** A field that changes the meaning and that the upstream cannot express. */
export function unsupportedField(param: string, message: string): GatewayError {
  return new GatewayError('unsupported_parameter', message, { param });
}

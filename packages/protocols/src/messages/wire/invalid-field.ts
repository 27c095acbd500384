import { GatewayError } from '@sluice/canonical';

/** A field of a request that is wrong, told by its path. */
export function invalidField(param: string, what: string): GatewayError {
  return new GatewayError('invalid_request', `${param} ${what}.`, { param });
}

/** A field that changes the meaning and that an upstream of this protocol cannot carry. */
export function unsupportedField(param: string, message: string): GatewayError {
  return new GatewayError('unsupported_parameter', message, { param });
}

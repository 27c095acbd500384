import { GatewayError } from '@sluice/canonical';

/** The error for a key that can use only the requested model, because its limits were checked for that model. */
export function otherModelError(param: string): GatewayError {
  const what = `${param} names another model, which the models or the budget of this API key forbid. Remove it.`;
  return new GatewayError('unsupported_parameter', what, { param });
}

import { GatewayError } from '@sluice/canonical';

/** For a key that may use the requested model only, since its models or its budget were checked for that one. */
export function otherModelError(param: string): GatewayError {
  const what = `${param} names another model, which the models or the budget of this API key forbid. Remove it.`;
  return new GatewayError('unsupported_parameter', what, { param });
}

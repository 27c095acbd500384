import { GatewayError } from '@sluice/canonical';

/** @param fields at least one field, by the client's names */
export function strictModeError(fields: readonly string[]): GatewayError {
  const [param] = fields;
  const [are, them] = fields.length === 1 ? ['is', 'it'] : ['are', 'them'];
  const what = `${fields.join(', ')} ${are} not supported by this model, and strict mode does not allow dropping ${them}.`;
  return new GatewayError('unsupported_parameter', `${what} Remove ${them}.`, {
    ...(param !== undefined && { param }),
  });
}

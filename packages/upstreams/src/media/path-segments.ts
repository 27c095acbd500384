import { GatewayError } from '@sluice/canonical';

/**
 * A model's name as escaped path segments. Names contain slashes, and a client chooses them if the configured name is a
 * pattern.
 * @throws GatewayError for a name that would leave its path
 */
export function pathSegments(name: string): string[] {
  const segments = name.split('/');
  if (segments.some((segment) => segment === '' || segment === '.' || segment === '..')) throw noSuchModel();
  return segments.map((segment) => encodeURIComponent(segment.toWellFormed()));
}

export function noSuchModel(): GatewayError {
  return new GatewayError('model_not_found', 'Model does not exist.');
}

import { GatewayError } from '@sluice/canonical';

/**
 * Escapes a model name as path segments. Names may contain slashes. If the configured name is a pattern, clients choose
 * part of the name.
 * @throws GatewayError if the name would lead out of its folder
 */
export function pathSegments(name: string): string[] {
  const segments = name.split('/');
  if (segments.some((segment) => segment === '' || segment === '.' || segment === '..')) throw noSuchModel();
  return segments.map((segment) => encodeURIComponent(segment.toWellFormed()));
}

export function noSuchModel(): GatewayError {
  return new GatewayError('model_not_found', 'Model does not exist.');
}

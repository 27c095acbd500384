import { GatewayError } from '@sluice/canonical';

/**
 * A model's name as segments of a path, escaped: names hold slashes, and may come from a client where a model's
 * configured name is a pattern.
 * @throws GatewayError for a name that would lead elsewhere
 */
export function pathSegments(name: string): string[] {
  const segments = name.split('/');
  if (segments.some((segment) => segment === '' || segment === '.' || segment === '..')) throw noSuchModel();
  return segments.map((segment) => encodeURIComponent(segment.toWellFormed()));
}

/** What is told of a name that no model of a vendor can have. */
export function noSuchModel(): GatewayError {
  return new GatewayError('model_not_found', 'There is no model with this name.');
}

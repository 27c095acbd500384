import { GatewayError } from '@sluice/canonical';

/**
 * Where a model lies below the base: its name, escaped as segments of a path.
 * @throws GatewayError for a name that would lead out of the models
 */
export function modelPath(model: string): string {
  const segments = model.replace(/^models\//, '').split('/');
  if (segments.some((segment) => segment === '' || segment === '.' || segment === '..'))
    throw new GatewayError('model_not_found', 'There is no model with this name.');
  return `/models/${segments.map((segment) => encodeURIComponent(segment.toWellFormed())).join('/')}`;
}

/** The path of a base URL, with the version that it may leave out. */
export function versionedPath(path: string): string {
  return /\/v1(?:(?:alpha|beta)\d*)?$/.test(path) ? path : `${path}/v1beta`;
}

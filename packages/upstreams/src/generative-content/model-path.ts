import { pathSegments } from '../media/path-segments.ts';

/** Where a model lies below the base. @throws GatewayError for a name that would lead out of the models */
export function modelPath(model: string): string {
  return `/models/${pathSegments(model.replace(/^models\//, '')).join('/')}`;
}

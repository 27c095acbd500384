import { pathSegments } from '../media/path-segments.ts';

/** Path of a model below the base. @throws GatewayError for a name that would leave the models path */
export function modelPath(model: string): string {
  return `/models/${pathSegments(model.replace(/^models\//, '')).join('/')}`;
}

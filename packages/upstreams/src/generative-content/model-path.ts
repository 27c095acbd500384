import { pathSegments } from '../media/path-segments.ts';

export function modelPath(model: string): string {
  return `/models/${pathSegments(model.replace(/^models\//, '')).join('/')}`;
}

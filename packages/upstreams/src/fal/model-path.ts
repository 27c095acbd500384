import { noSuchModel, pathSegments } from '../media/path-segments.ts';

/** Path segments that may precede the owner (@fal-ai/client 1.10.1, `parseEndpointId`). */
const NAMESPACES = new Set(['workflows', 'comfy']);

export interface ModelPath {
  endpoint: string;
  app: string;
}

/** Parses a model name (e.g. `fal-ai/kling-video/v2/master/text-to-video`). @throws GatewayError if it is invalid */
export function modelPathOf(model: string): ModelPath {
  const segments = pathSegments(model);
  const own = NAMESPACES.has(segments[0] ?? '') ? 3 : 2;
  if (segments.length < own) throw noSuchModel();
  return { endpoint: `/${segments.join('/')}`, app: segments.slice(0, own).join('/') };
}

import { noSuchModel, pathSegments } from '../media/path-segments.ts';

/** First segments that stand before the owner (@fal-ai/client 1.10.1, `parseEndpointId`). */
const NAMESPACES = new Set(['workflows', 'comfy']);

/** Where a model of fal's lies below the base. */
export interface ModelPath {
  /** Where requests are made: the whole name. */
  endpoint: string;
  /** Where they are asked for, fetched and canceled: owner and alias alone, whatever follows in the name. */
  app: string;
}

/** Takes a name such as `fal-ai/kling-video/v2/master/text-to-video` apart. @throws GatewayError when it is none */
export function modelPathOf(model: string): ModelPath {
  const segments = pathSegments(model);
  const own = NAMESPACES.has(segments[0] ?? '') ? 3 : 2;
  if (segments.length < own) throw noSuchModel();
  return { endpoint: `/${segments.join('/')}`, app: segments.slice(0, own).join('/') };
}

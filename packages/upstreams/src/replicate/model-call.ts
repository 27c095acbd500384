import { noSuchModel, pathSegments } from '../media/path-segments.ts';

export interface ModelCall {
  path: string;
  /** Sent in the body if the path does not contain the model's name. */
  version?: string;
  /** `owner/name`; empty if only the version is known. */
  name: string;
}

/**
 * Parses a model name: `owner/name` for an official model; `owner/name:version` or a 64-digit version for other models
 * (replicate 1.4.0, `predictions.create`).
 * @throws GatewayError if the name is invalid
 */
export function modelCallOf(model: string): ModelCall {
  if (/^[0-9a-f]{64}$/i.test(model)) return { path: '/predictions', version: model, name: '' };
  const colon = model.indexOf(':');
  const name = colon === -1 ? model : model.slice(0, colon);
  const segments = pathSegments(name);
  if (segments.length !== 2 || colon === model.length - 1) throw noSuchModel();
  if (colon !== -1) return { path: '/predictions', version: model.slice(colon + 1), name };
  return { path: `/models/${segments.join('/')}/predictions`, name };
}

import { pathSegments } from '../media/path-segments.ts';
import type { TextWire } from '../text/create-text-upstream.ts';
import { messagesHeaders } from './messages-headers.ts';

/** Vertex AI docs, "Use Claude models": the only version. */
export const VERTEX_VERSION = 'vertex-2023-10-16';

/**
 * Claude on Vertex AI (@anthropic-ai/vertex-sdk 1.1.3). The path contains the model, and the body contains the version
 * (`quirks.version_in_body`). Only calls that count tokens have the model in the body.
 */
export const vertexWire: TextWire = {
  protocol: 'messages',
  credential: (apiKey) => ['x-goog-api-key', apiKey],
  path: ({ operation, model, stream }) => {
    if (operation === 'count-tokens') return '/models/count-tokens:rawPredict';
    if (operation !== 'generate') return undefined;
    return `/models/${pathSegments(model).join('/')}:${stream ? 'streamRawPredict' : 'rawPredict'}`;
  },
  callHeaders: ({ headers }) => {
    const { 'anthropic-version': _version, ...betas } = messagesHeaders(headers ?? {});
    return betas;
  },
  countBody: (body) => ({ ...body, anthropic_version: VERTEX_VERSION }),
};

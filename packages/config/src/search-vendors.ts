import { keyed, modelOf, type WellKnownVendor } from './well-known-vendor.ts';

/** The well-known vendors whose models are for search: vectors and rankings. */
export const SEARCH_VENDORS: readonly WellKnownVendor[] = [
  {
    upstreams: { cohere: keyed('cohere', 'https://api.cohere.com', 'COHERE_API_KEY') },
    models: [
      { ...modelOf('embed-*', 'cohere'), capabilities: ['embedding'] },
      { ...modelOf('rerank-*', 'cohere'), capabilities: ['rerank'] },
    ],
  },
  {
    upstreams: { jina: keyed('jina', 'https://api.jina.ai', 'JINA_API_KEY') },
    models: [modelOf('jina-*', 'jina')],
  },
];

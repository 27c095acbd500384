import { defineVendor, KEY, keyed, modelOf } from '../schema/manifest.ts';
import { COHERE_PRICES } from './prices.ts';

export const cohere = defineVendor({
  kind: 'cohere',
  capabilities: ['embedding', 'rerank'],
  credentials: [KEY],
  sandboxPath: '/cohere',
  examples: { embedding: 'embed-v4.0', rerank: 'rerank-v3.5' },
  vendors: [
    {
      upstreams: { cohere: keyed('cohere', 'https://api.cohere.com', 'COHERE_API_KEY') },
      models: [
        { ...modelOf('embed-*', 'cohere'), capabilities: ['embedding'] },
        { ...modelOf('rerank-*', 'cohere'), capabilities: ['rerank'] },
      ],
    },
  ],
  prices: COHERE_PRICES,
});

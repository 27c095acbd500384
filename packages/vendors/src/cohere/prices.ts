import { FREE_TOKENS, LITELLM, named, type PriceList } from '../schema/price-list.ts';

/** A search has at most 100 documents. A request with more documents counts as several, which these prices omit. */
export const COHERE_PRICES: readonly PriceList[] = [
  {
    hosts: ['api.cohere.com'],
    url: 'https://cohere.com/pricing',
    date: '2026-11-23',
    via: LITELLM,
    models: [
      [named('rerank-v4.0-pro'), { tokens: FREE_TOKENS, request: 0.0025 }],
      [named('rerank-v4.0-fast', 'rerank-v3.5'), { tokens: FREE_TOKENS, request: 0.002 }],
    ],
  },
];

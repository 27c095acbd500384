import { named, type PriceList } from '../schema/price-list.ts';

/** The host's pricing page shows the prices of only a few models. The pages of the others were not read. */
export const REPLICATE_PRICES: readonly PriceList[] = [
  {
    hosts: ['api.replicate.com'],
    url: 'https://replicate.com/pricing',
    date: '2026-10-07',
    via: 'the copy of the page in the repository api-evangelist/replicate',
    models: [
      [named('black-forest-labs/flux-1.1-pro'), { images: [{ usd: 0.04 }] }],
      [named('black-forest-labs/flux-dev'), { images: [{ usd: 0.025 }] }],
      [named('black-forest-labs/flux-schnell'), { images: [{ usd: 0.003 }] }],
    ],
  },
];

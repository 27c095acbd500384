import { LITELLM, named, type PriceList } from '../schema/price-list.ts';

const PAGE = { hosts: ['generativelanguage.googleapis.com'], url: 'https://ai.google.dev/gemini-api/docs/pricing' };

/** Images of tasks. Images in responses of text models are priced by tokens. */
export const GEMINI_PRICES: readonly PriceList[] = [
  {
    ...PAGE,
    date: '2026-09-20',
    via: 'the copy of the page in the repository api-evangelist/gemini',
    models: [
      [
        named('gemini-3-pro-image', 'gemini-3-pro-image-preview'),
        { images: [{ size: '4K', usd: 0.24 }, { usd: 0.134 }], defaults: { size: '1K' } },
      ],
    ],
  },
  {
    ...PAGE,
    date: '2026-11-23',
    via: LITELLM,
    // This model has one size.
    models: [[named('gemini-2.5-flash-image'), { images: [{ usd: 0.039 }] }]],
  },
];

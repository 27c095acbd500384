import { byResolution, LITELLM, named, type PriceList } from '../schema/price-list.ts';

const READ = { date: '2026-11-23', via: LITELLM };

/** H3 costs extra for more than five input images, and H3 Max for more than two. These prices do not include that. */
export const MINIMAX_PRICES: readonly PriceList[] = [
  {
    ...READ,
    hosts: ['api.minimax.io'],
    url: 'https://platform.minimax.io/docs/guides/pricing-paygo',
    models: [
      [named('MiniMax-H3'), { video: byResolution({ '768p': 0.08, '2k': 0.13 }) }],
      [named('MiniMax-H3-Max'), { video: byResolution({ '480p': 0.05, '768p': 0.08 }) }],
    ],
  },
];

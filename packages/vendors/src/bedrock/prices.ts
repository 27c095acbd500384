import type { PriceList } from '../schema/price-list.ts';

const PAGE = {
  hosts: ['bedrock-runtime.us-east-1.amazonaws.com'],
  url: 'https://aws.amazon.com/bedrock/pricing/',
  date: '2026-11-28',
  via: 'public repositories that quote the page',
};

export const BEDROCK_PRICES: readonly PriceList[] = [
  {
    ...PAGE,
    models: [
      [
        /amazon\.nova-canvas-v1:0$/,
        {
          // The price of sizes up to 1024x1024 and of larger ones differ. Other sizes have the higher price.
          images: [
            { size: '1024x1024', quality: 'standard', usd: 0.04 },
            { size: '1024x1024', usd: 0.06 },
            { quality: 'standard', usd: 0.06 },
            { usd: 0.08 },
          ],
          defaults: { size: '1024x1024', quality: 'standard' },
        },
      ],
      [/amazon\.nova-reel-v1:[01]$/, { video: [{ usd: 0.08 }] }],
    ],
  },
];

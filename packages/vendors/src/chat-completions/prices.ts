import { FREE_TOKENS, LITELLM, named, type PriceList } from '../schema/price-list.ts';
import type { MediaRate } from '../schema/rates.ts';

/** Square images have one price per quality, and images of the two other sizes have another. */
function imageRates(square: readonly [string, number][], other: readonly [string, number][]): MediaRate[] {
  const sizes = ['1024x1536', '1536x1024'];
  return [
    ...square.map(([quality, usd]) => ({ size: '1024x1024', quality, usd })),
    ...sizes.flatMap((size) => other.map(([quality, usd]) => ({ size, quality, usd }))),
  ];
}

export const OPENAI_PRICES: readonly PriceList[] = [
  {
    hosts: ['api.openai.com'],
    url: 'https://developers.openai.com/api/docs/pricing',
    date: '2026-11-23',
    via: LITELLM,
    // Prices of images do not include the input, e.g. images to edit.
    models: [
      [
        named('gpt-image-1'),
        {
          images: imageRates(
            [
              ['low', 0.011],
              ['medium', 0.042],
              ['high', 0.167],
            ],
            [
              ['low', 0.016],
              ['medium', 0.063],
              ['high', 0.25],
            ],
          ),
        },
      ],
      [
        named('gpt-image-1-mini'),
        {
          images: imageRates(
            [
              ['low', 0.005],
              ['medium', 0.011],
            ],
            [
              ['low', 0.006],
              ['medium', 0.015],
            ],
          ),
        },
      ],
      [
        named('gpt-image-1.5', 'gpt-image-1.5-2025-12-16'),
        {
          images: imageRates(
            [
              ['low', 0.009],
              ['medium', 0.034],
              ['high', 0.133],
            ],
            [
              ['low', 0.013],
              ['medium', 0.05],
              ['high', 0.2],
            ],
          ),
        },
      ],
      [named('tts-1', 'tts-1-1106'), { characters: 15 }],
      [named('tts-1-hd', 'tts-1-hd-1106'), { characters: 30 }],
      [/^omni-moderation-/, { tokens: FREE_TOKENS }],
    ],
  },
];

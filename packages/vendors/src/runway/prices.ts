import { byResolution, LITELLM, named, type PriceList } from '../schema/price-list.ts';

const LIST = {
  hosts: ['api.dev.runwayml.com'],
  url: 'https://docs.dev.runwayml.com/guides/pricing/',
  date: '2026-11-23',
};

/** A credit costs 0.01 US dollars. */
export const RUNWAY_PRICES: readonly PriceList[] = [
  {
    ...LIST,
    via: `${LITELLM}, and the API reference in the repository runwayml/skills`,
    models: [
      [named('gen4.5'), { video: [{ usd: 0.12 }] }],
      [named('gen4_turbo'), { video: [{ usd: 0.05 }] }],
      [named('veo3.1'), { video: [{ audio: true, usd: 0.4 }, { usd: 0.2 }], defaults: { audio: true } }],
      [named('veo3.1_fast'), { video: [{ audio: true, usd: 0.15 }, { usd: 0.1 }], defaults: { audio: true } }],
      [named('gen4_image'), { images: [...byResolution({ '720p': 0.05 }), { usd: 0.08 }] }],
      [named('gen4_image_turbo'), { images: [{ usd: 0.02 }] }],
    ],
  },
  {
    ...LIST,
    via: LITELLM,
    // Models with a minimum price, or a price for input, are not in the list.
    models: [
      [named('seedance2'), { video: byResolution({ '480p': 0.36, '720p': 0.36, '1080p': 0.4, '4k': 1.5 }) }],
      [named('seedance2_fast'), { video: [{ usd: 0.29 }] }],
      [named('gemini_omni_flash'), { video: [{ usd: 0.1 }] }],
    ],
  },
];

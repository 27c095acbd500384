import { byResolution, LITELLM, named, type PriceList } from '../schema/price-list.ts';

const PAGE = { hosts: ['generativelanguage.googleapis.com'], url: 'https://ai.google.dev/gemini-api/docs/pricing' };

/** Veo 3 always generates audio. The default resolution is 720p. */
const defaults = { resolution: '720p', audio: true };

export const VEO_PRICES: readonly PriceList[] = [
  {
    ...PAGE,
    date: '2026-09-20',
    via: 'the copy of the page in the repository api-evangelist/gemini',
    models: [
      [
        named('veo-3.1-generate-preview', 'veo-3.1-generate-001'),
        { video: [...byResolution({ '4k': 0.6 }), { usd: 0.4 }], defaults },
      ],
    ],
  },
  {
    ...PAGE,
    date: '2026-11-23',
    via: LITELLM,
    models: [
      [
        named('veo-3.1-fast-generate-preview', 'veo-3.1-fast-generate-001'),
        { video: byResolution({ '720p': 0.1, '1080p': 0.12, '4k': 0.3 }), defaults },
      ],
      [named('veo-3.1-lite-generate-preview'), { video: byResolution({ '720p': 0.05, '1080p': 0.08 }), defaults }],
    ],
  },
];

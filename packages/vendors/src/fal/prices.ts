import { byResolution, LITELLM, type PriceList } from '../schema/price-list.ts';
import type { MediaRate, Rates } from '../schema/rates.ts';

const LIST = { hosts: ['queue.fal.run'] };
const READ = { ...LIST, date: '2026-11-23', via: LITELLM };

function bySize(usd: Readonly<Record<string, number>>): MediaRate[] {
  return Object.entries(usd).map(([size, price]) => ({ size, usd: price }));
}

/** Prices of one model. The model's page shows them. */
function pageOf(model: string, name: RegExp, rates: Rates): PriceList {
  return { ...READ, url: `https://fal.ai/models/${model}`, models: [[name, rates]] };
}

/** The host shows the prices of a model on the model's page. */
export const FAL_PRICES: readonly PriceList[] = [
  {
    ...LIST,
    url: 'https://fal.ai/models/pixverse/v6/text-to-video',
    date: '2026-11-23',
    models: [
      [
        /^(?:fal-ai\/)?pixverse\/v6\/text-to-video$/,
        {
          video: [
            { resolution: '360p', audio: true, usd: 0.035 },
            { resolution: '360p', usd: 0.025 },
            { resolution: '540p', audio: true, usd: 0.045 },
            { resolution: '540p', usd: 0.035 },
            { resolution: '720p', audio: true, usd: 0.06 },
            { resolution: '720p', usd: 0.045 },
            { resolution: '1080p', audio: true, usd: 0.115 },
            { resolution: '1080p', usd: 0.09 },
          ],
        },
      ],
    ],
  },
  pageOf('bytedance/seedance-2.5/text-to-video', /^bytedance\/seedance-2\.5\/(?:text|image|reference)-to-video$/, {
    video: byResolution({ '480p': 0.2205, '720p': 0.473 }),
  }),
  pageOf('bytedance/seedance-2.0/text-to-video', /^bytedance\/seedance-2\.0\/(?:text|image|reference)-to-video$/, {
    video: byResolution({ '720p': 0.3034, '1080p': 0.682 }),
  }),
  pageOf('minimax/h3/text-to-video', /^minimax\/h3\/(?:text|reference)-to-video$/, {
    video: byResolution({ '480p': 0.05, '768p': 0.06, '2k': 0.13, '4k': 0.16 }),
  }),
  pageOf('fal-ai/nano-banana-2', /^fal-ai\/nano-banana-2$/, {
    images: bySize({ '0.5K': 0.06, '1K': 0.08, '2K': 0.12, '4K': 0.16 }),
    defaults: { size: '1K' },
  }),
  pageOf('fal-ai/nano-banana-pro', /^fal-ai\/nano-banana-pro$/, {
    images: bySize({ '1K': 0.15, '2K': 0.15, '4K': 0.3 }),
    defaults: { size: '1K' },
  }),
];

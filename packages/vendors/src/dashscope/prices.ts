import { byResolution, LITELLM, named, type PriceList } from '../schema/price-list.ts';

const READ = { date: '2026-11-23', via: LITELLM };

/** Prices of the Beijing region, in the US dollars that the vendor publishes. The other regions have other hosts. */
export const DASHSCOPE_PRICES: readonly PriceList[] = [
  {
    ...READ,
    hosts: ['dashscope.aliyuncs.com'],
    url: 'https://www.alibabacloud.com/help/en/model-studio/model-pricing',
    models: [
      [
        named('wan2.7-t2v', 'wan2.7-i2v', 'wan2.7-r2v'),
        { video: byResolution({ '720p': 0.086012, '1080p': 0.143353 }), defaults: { resolution: '1080p' } },
      ],
      [
        named('wan3.0-video'),
        {
          video: byResolution({ '480p': 0.041256, '720p': 0.082513, '1080p': 0.165025 }),
          defaults: { resolution: '1080p' },
        },
      ],
      [
        named('wan3.0-video-prime'),
        {
          video: byResolution({ '480p': 0.0636, '720p': 0.127199, '1080p': 0.254399 }),
          defaults: { resolution: '1080p' },
        },
      ],
    ],
  },
];

import {
  CONTENT_BYTES,
  type Catalog,
  findModel,
  fullSeconds,
  type ImageCounts,
  UP_TO_1080,
  type VideoModel,
} from '../schema/models.ts';

/** Source: Volcengine docs 82379/1520757, `image_url.url`. */
export const ARK_IMAGES = {
  mediaTypes: ['image/png', 'image/jpeg', 'image/webp', 'image/bmp', 'image/tiff', 'image/gif'],
  ...CONTENT_BYTES,
};

const ANY_IMAGES = { first_frame: 1, last_frame: 1, reference: 9 };
const BASE = {
  // Ark documents no limit but recommends at most 500 characters.
  maxPrompt: 10_000,
  optionalPrompt: 'image',
  imageFiles: ARK_IMAGES,
  // If the request contains no aspect ratio, Ark uses `adaptive`.
  aspectRatios: ['16:9', '4:3', '1:1', '3:4', '9:16', '21:9'],
} as const;
const KNOWN = { ...BASE, defaultSeconds: 5 } as const;
const SECOND = {
  ...KNOWN,
  images: ANY_IMAGES,
  optionalFields: ['watermark', 'audio'],
  seconds: fullSeconds(4, 15),
} as const;

function first(images: ImageCounts): VideoModel {
  return {
    ...KNOWN,
    images,
    optionalFields: ['seed', 'watermark'],
    fixed: { audio: false },
    seconds: fullSeconds(2, 12),
    resolutions: UP_TO_1080,
  };
}

/** Source: Volcengine docs 82379/1520757, "创建视频生成任务". The names below omit `doubao-` and `dreamina-`. */
export const ARK_VIDEOS: Catalog<VideoModel> = [
  ['seedance-2-0-fast', { ...SECOND, resolutions: ['480p', '720p'] }],
  ['seedance-2-0-mini', { ...SECOND, resolutions: ['480p', '720p'] }],
  ['seedance-2-0', { ...SECOND, resolutions: [...UP_TO_1080, '4k'] }],
  [
    'seedance-1-5-pro',
    {
      ...KNOWN,
      images: { first_frame: 1, last_frame: 1 },
      optionalFields: ['seed', 'watermark', 'audio'],
      seconds: fullSeconds(4, 12),
      resolutions: UP_TO_1080,
    },
  ],
  ['seedance-1-0-pro-fast', first({ first_frame: 1 })],
  ['seedance-1-0-pro', first({ first_frame: 1, last_frame: 1 })],
  ['seedance-1-0-lite-t2v', first({})],
  ['seedance-1-0-lite-i2v', { ...first({ first_frame: 1, last_frame: 1, reference: 4 }), needsImage: true }],
];

const UNKNOWN: VideoModel = {
  ...BASE,
  images: ANY_IMAGES,
  optionalFields: ['seed', 'watermark', 'audio'],
  resolutions: [...UP_TO_1080, '4k'],
};

/** Returns the model's limits. An endpoint id (`ep-…`) does not show which model it uses. */
export function arkVideo(name: string): VideoModel {
  return findModel(ARK_VIDEOS, name.replace(/^(?:doubao|dreamina)-/, '')) ?? UNKNOWN;
}

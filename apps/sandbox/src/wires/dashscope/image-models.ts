type ImageSizes =
  | { fixed: readonly string[] }
  | { sides: readonly [min: number, max: number] }
  /** Limits of the total pixels; the ratio is at most 4:1. Names such as `2K` are square sizes. */
  | { area: readonly [min: number, max: number]; names: readonly string[] };

export interface ImageModel {
  /** `messages` calls are synchronous; `prompt` calls create a task. */
  calls: readonly ('messages' | 'prompt')[];
  max: number;
  images: readonly [min: number, max: number];
  sizes: ImageSizes;
  /** Default size. An edit uses the aspect ratio of its image instead. */
  defaultSize: string;
  /** Whether each image is in a separate choice. If false, one choice contains all images. */
  isChoice: boolean;
}

const BOTH = ['messages', 'prompt'] as const;
const K = 1024;

function qwen(more: Pick<ImageModel, 'calls' | 'max' | 'images' | 'sizes'>): ImageModel {
  return { defaultSize: '1328*1328', isChoice: false, ...more };
}

function wan(more: Pick<ImageModel, 'calls' | 'images' | 'sizes'>): ImageModel {
  return { max: 4, defaultSize: '1024*1024', isChoice: true, ...more };
}

const QWEN_SIZES = { fixed: ['1664*928', '1472*1104', '1328*1328', '1104*1472', '928*1664'] };
const QWEN_AREA = { area: [512 * 512, 2048 * 2048], names: [] } as const;
const WAN_AREA = { area: [768 * 768, 1440 * 1440], names: [] } as const;

/** Models by name prefix (DashScope docs, API references of Qwen-Image and Wan). */
const MODELS: readonly (readonly [beginning: RegExp, model: ImageModel])[] = [
  [
    /^qwen-image-edit-(?:plus|max)/,
    qwen({ calls: ['messages'], max: 6, images: [1, 3], sizes: { sides: [512, 2048] } }),
  ],
  [/^qwen-image-edit/, qwen({ calls: ['messages'], max: 1, images: [1, 3], sizes: { sides: [512, 2048] } })],
  [/^qwen-image-[23]\.0/, qwen({ calls: ['messages'], max: 6, images: [0, 3], sizes: QWEN_AREA })],
  [/^qwen-image-max/, qwen({ calls: ['messages'], max: 1, images: [0, 0], sizes: QWEN_SIZES })],
  [/^qwen-image(?:-plus.*)?$/, qwen({ calls: BOTH, max: 1, images: [0, 0], sizes: QWEN_SIZES })],
  [
    /^wan2\.7-image/,
    wan({
      calls: ['messages'],
      images: [0, 9],
      sizes: { area: [768 ** 2, (4 * K) ** 2], names: ['1K', '2K', '4K'] },
    }),
  ],
  [
    /^wan2\.6-image/,
    wan({ calls: ['messages'], images: [0, 4], sizes: { area: [768 ** 2, (2 * K) ** 2], names: ['1K', '2K'] } }),
  ],
  [/^wan2\.6-t2i/, wan({ calls: ['messages'], images: [0, 0], sizes: WAN_AREA })],
  [/^wan2\.5-t2i/, wan({ calls: ['prompt'], images: [0, 0], sizes: WAN_AREA })],
  [/^wan(?:2\.2|x2\.[01])-t2i/, wan({ calls: ['prompt'], images: [0, 0], sizes: { sides: [512, 1440] } })],
];

export function imageModelOf(name: string): ImageModel | undefined {
  return MODELS.find(([beginning]) => beginning.test(name))?.[1];
}

export function imageFrame({ sizes }: ImageModel, size: string): { width: number; height: number } | undefined {
  const [, name] = /^(\d)K$/.exec(size) ?? [];
  if (name !== undefined) {
    const side = Number(name) * K;
    return 'names' in sizes && sizes.names.includes(size) ? { width: side, height: side } : undefined;
  }
  const [, width = 0, height = 0] = /^(\d{2,4})\*(\d{2,4})$/.exec(size)?.map(Number) ?? [];
  return accepts(sizes, size, width, height) ? { width, height } : undefined;
}

function accepts(sizes: ImageSizes, size: string, width: number, height: number): boolean {
  if (width === 0 || height === 0) return false;
  if ('fixed' in sizes) return sizes.fixed.includes(size);
  if ('sides' in sizes) return [width, height].every((side) => side >= sizes.sides[0] && side <= sizes.sides[1]);
  const [min, max] = sizes.area;
  const isFlat = Math.max(width, height) > 4 * Math.min(width, height);
  return !isFlat && width * height >= min && width * height <= max;
}

import { jimengImage, jimengVideo } from '@sluice/vendors';

export interface JimengModel {
  kind: 'video' | 'image';
  images: readonly [min: number, max: number];
  area: number;
}

const HD = 1280 * 720;
const FULL_HD = 1920 * 1080;

/**
 * Models by `req_key` (Jimeng docs, one page per model). The name contains the pixel count, so the catalog has none.
 */
const VIDEO_AREAS: ReadonlyMap<string, number> = new Map([
  ['jimeng_t2v_v30', HD],
  ['jimeng_t2v_v30_1080p', FULL_HD],
  ['jimeng_i2v_first_v30', HD],
  ['jimeng_i2v_first_v30_1080', FULL_HD],
  ['jimeng_i2v_first_tail_v30', HD],
  ['jimeng_i2v_first_tail_v30_1080', FULL_HD],
  ['jimeng_ti2v_v30_pro', FULL_HD],
  ['jimeng_vgfm_t2v_l20', HD],
  ['jimeng_vgfm_i2v_l20', HD],
]);
const IMAGES: ReadonlySet<string> = new Set(['jimeng_t2i_v30', 'jimeng_t2i_v31', 'jimeng_t2i_v40']);

export function jimengModel(reqKey: string): JimengModel | undefined {
  const area = VIDEO_AREAS.get(reqKey);
  if (area !== undefined) {
    const { images, needs = [] } = jimengVideo(reqKey);
    return { kind: 'video', images: [needs.length, (images.first_frame ?? 0) + (images.last_frame ?? 0)], area };
  }
  if (!IMAGES.has(reqKey)) return undefined;
  const { images, pixels } = jimengImage(reqKey);
  return { kind: 'image', images: [0, images.reference ?? 0], area: pixels };
}

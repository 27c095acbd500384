export interface JimengModel {
  kind: 'video' | 'image';
  /** Number of input images. */
  images: readonly [min: number, max: number];
  /** Default pixels of the output. */
  area: number;
}

const HD = 1280 * 720;
const FULL_HD = 1920 * 1080;

function video(area: number, min: number, max = min): JimengModel {
  return { kind: 'video', images: [min, max], area };
}

/** By `req_key` (Jimeng docs, one page each). */
const JIMENG_MODELS: Readonly<Record<string, JimengModel>> = {
  jimeng_t2v_v30: video(HD, 0),
  jimeng_t2v_v30_1080p: video(FULL_HD, 0),
  jimeng_i2v_first_v30: video(HD, 1),
  jimeng_i2v_first_v30_1080: video(FULL_HD, 1),
  jimeng_i2v_first_tail_v30: video(HD, 2),
  jimeng_i2v_first_tail_v30_1080: video(FULL_HD, 2),
  jimeng_ti2v_v30_pro: video(FULL_HD, 0, 1),
  jimeng_vgfm_t2v_l20: video(HD, 0),
  jimeng_vgfm_i2v_l20: video(HD, 1),
  jimeng_t2i_v30: { kind: 'image', images: [0, 0], area: 1328 ** 2 },
  jimeng_t2i_v31: { kind: 'image', images: [0, 0], area: 1328 ** 2 },
  jimeng_t2i_v40: { kind: 'image', images: [0, 10], area: 2048 ** 2 },
};

export function jimengModel(reqKey: string): JimengModel | undefined {
  return Object.hasOwn(JIMENG_MODELS, reqKey) ? JIMENG_MODELS[reqKey] : undefined;
}

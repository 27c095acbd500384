import { expect, it } from 'vitest';
import { jimengModel } from './jimeng-models.ts';

it('jimengModel has each model’s number of images', () => {
  expect(jimengModel('jimeng_t2v_v30')).toMatchObject({ kind: 'video', images: [0, 0] });
  expect(jimengModel('jimeng_i2v_first_tail_v30')).toMatchObject({ images: [2, 2] });
  expect(jimengModel('jimeng_t2i_v40')).toMatchObject({ kind: 'image', images: [0, 10] });
  expect(['jimeng', 'toString', ''].map(jimengModel)).toEqual([undefined, undefined, undefined]);
});

import { expect, it } from 'vitest';
import { beijingTime } from './dashscope-time.ts';

it('beijingTime returns Beijing time', () => {
  expect(beijingTime(Date.UTC(2023, 11, 20, 13, 36, 31, 896))).toBe('2023-12-20 21:36:31.896');
  expect(beijingTime(Date.UTC(2023, 11, 31, 16))).toBe('2024-01-01 00:00:00.000');
});

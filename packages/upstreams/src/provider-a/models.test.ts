import { expect, it } from 'vitest';
import { vendorName, videoFamily } from './models.ts';

it.each([
  ['kling-v2.6', 'kling-v2-6'],
  ['kling-v3.0', 'kling-v3'],
  ['kling-v3.0-omni', 'kling-v3-omni'],
  ['kling-v2-1-master', 'kling-v2-1-master'],
  ['kling-v1', 'kling-v1'],
  ['kling-v10.1', 'kling-v10-1'],
])('%s is spelled %s', (name, spelled) => {
  expect(vendorName(name)).toBe(spelled);
});

it.each([
  ['kling-v1', { sound: false, modes: true }, 10],
  ['kling-v1-6', { sound: false, proOnly: ['last_frame'] }, 10],
  ['kling-v2-master', { sound: false, modes: false }, 10],
  ['kling-v2-1-master', { sound: false, modes: false }, 10],
  ['kling-v2-1', { proOnly: ['last_frame'] }, 10],
  ['kling-v2-5-turbo', { proOnly: ['last_frame'] }, 10],
  ['kling-v2-6', { sound: true, proOnly: ['last_frame', 'sound'] }, 10],
  ['kling-v3', { sound: true }, 15],
  ['kling-v3-omni', { omni: true }, 15],
  ['kling-video-o1', { omni: true, sound: false }, 10],
])('%s belongs to its generation', (name, expected, longest) => {
  expect(videoFamily(name)).toMatchObject(expected);
  expect(videoFamily(name).seconds?.choices.at(-1)).toBe(longest);
});

it('nothing is known of other names', () => {
  expect(videoFamily('somebody-else')).toEqual({});
});

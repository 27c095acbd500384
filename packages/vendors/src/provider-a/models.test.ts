import { expect, it } from 'vitest';
import { klingName, klingVideo } from './models.ts';

const SILENT = ['negativePrompt', 'watermark'];
const ALL = ['negativePrompt', 'audio', 'watermark'];

it.each([
  ['kling-v2.6', 'kling-v2-6'],
  ['kling-v3.0', 'kling-v3'],
  ['kling-v3.0-omni', 'kling-v3-omni'],
  ['kling-v2-1-master', 'kling-v2-1-master'],
  ['kling-v1', 'kling-v1'],
  ['kling-v10.1', 'kling-v10-1'],
])('%s is sent as %s', (name, sent) => {
  expect(klingName(name)).toBe(sent);
});

it.each([
  ['kling-v1', { optionalFields: SILENT, modes: true }, 10],
  ['kling-v1-6', { optionalFields: SILENT, proOnly: ['last_frame'] }, 10],
  ['kling-v2-master', { optionalFields: SILENT, modes: false }, 10],
  ['kling-v2-1-master', { optionalFields: SILENT, modes: false }, 10],
  ['kling-v2-1', { proOnly: ['last_frame'] }, 10],
  ['kling-v2-5-turbo', { proOnly: ['last_frame'] }, 10],
  ['kling-v2-6', { optionalFields: ALL, proOnly: ['last_frame', 'audio'] }, 10],
  ['kling-v3', { optionalFields: ALL }, 15],
  ['kling-v3-omni', { omni: true }, 15],
  ['kling-video-o1', { omni: true, optionalFields: ['watermark'] }, 10],
])('%s has the limits of its generation', (name, expected, longest) => {
  expect(klingVideo(name)).toMatchObject(expected);
  expect(klingVideo(name).seconds?.at(-1)).toBe(longest);
});

it('returns no limits for unknown names', () => {
  expect(klingVideo('somebody-else')).toMatchObject({ seconds: 'any', optionalFields: ALL });
});

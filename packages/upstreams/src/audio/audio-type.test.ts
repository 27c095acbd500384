import { expect, it } from 'vitest';
import { audioType } from './audio-type.ts';

it.each([
  ['audio/x-wav', 'kite', 'audio/wav'],
  ['Audio/X-M4A', 'kite', 'audio/mp4'],
  ['application/ogg', 'kite', 'audio/ogg'],
  ['video/webm', 'kite', 'video/webm'],
  ['audio/novel', 'kite.wav', 'audio/novel'],
  ['application/octet-stream', 'kite.MP3', 'audio/mp3'],
  ['application/octet-stream', 'kite', undefined],
  ['constructor', 'kite.toString', undefined],
])('sends audio of type %s with the name %s as %s', (mediaType, filename, type) => {
  expect(audioType({ mediaType, filename })).toBe(type);
});

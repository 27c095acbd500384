import { expect, it } from 'vitest';
import { bodyOptions } from './options.ts';

it('puts each option in its part of the body, without planned fields and callbacks', () => {
  const metadata = {
    shot_type: 'multi',
    audio_url: 'https://client.example/a.mp3',
    prompt: 'x',
    callback_url: 'x',
    input: { template: 'squish', PROMPT: 'x', webhook: 'x' },
    parameters: { style: '<auto>', prompt: 'x', notify_url: 'x' },
  };
  expect(bodyOptions(metadata, ['prompt'], ['audio_url'])).toEqual({
    input: { audio_url: 'https://client.example/a.mp3', template: 'squish' },
    parameters: { shot_type: 'multi', style: '<auto>' },
  });
});

it.each([undefined, {}, { input: 'x', parameters: [1] }, { input: null }])('ignores %o', (metadata) => {
  expect(bodyOptions(metadata, [], [])).toEqual({ input: {}, parameters: {} });
});

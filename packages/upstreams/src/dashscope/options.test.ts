import { expect, it } from 'vitest';
import { bodyOptions } from './options.ts';

it('each option goes to its part of the body, none that is decided and no callback', () => {
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

it.each([undefined, {}, { input: 'x', parameters: [1] }, { input: null }])('nothing comes of %o', (metadata) => {
  expect(bodyOptions(metadata, [], [])).toEqual({ input: {}, parameters: {} });
});

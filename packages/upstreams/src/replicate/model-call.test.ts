import { expect, it } from 'vitest';
import { modelCallOf } from './model-call.ts';

const HASH = 'a1'.repeat(32);

it.each([
  ['wan-video/wan-2.5-t2v', { path: '/models/wan-video/wan-2.5-t2v/predictions', name: 'wan-video/wan-2.5-t2v' }],
  [`me/clip:${HASH}`, { path: '/predictions', version: HASH, name: 'me/clip' }],
  ['me/clip:6c1e4171-288a', { path: '/predictions', version: '6c1e4171-288a', name: 'me/clip' }],
  [HASH, { path: '/predictions', version: HASH, name: '' }],
  ['me/a?b', { path: '/models/me/a%3Fb/predictions', name: 'me/a?b' }],
])('%s creates predictions at %o', (model, call) => {
  expect(modelCallOf(model)).toEqual(call);
});

it.each(['clip', 'me/clip/x', 'me/../admin', '../clip', 'me/clip:', ':x', '', HASH.slice(1)])(
  'refuses the model name %j',
  (model) => {
    expect(() => modelCallOf(model)).toThrow('Model does not exist.');
  },
);

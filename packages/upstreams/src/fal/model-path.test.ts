import { expect, it } from 'vitest';
import { modelPathOf } from './model-path.ts';

it.each([
  ['fal-ai/flux', '/fal-ai/flux', 'fal-ai/flux'],
  ['fal-ai/kling-video/v2/master', '/fal-ai/kling-video/v2/master', 'fal-ai/kling-video'],
  ['workflows/me/clip/run', '/workflows/me/clip/run', 'workflows/me/clip'],
  ['comfy/me/clip', '/comfy/me/clip', 'comfy/me/clip'],
  ['me/a?b/c', '/me/a%3Fb/c', 'me/a%3Fb'],
])('%s submits to %s and polls %s', (model, endpoint, app) => {
  expect(modelPathOf(model)).toEqual({ endpoint, app });
});

it.each(['flux', 'workflows/me', 'fal-ai/../admin', 'fal-ai//flux', ''])('refuses the model name %j', (model) => {
  expect(() => modelPathOf(model)).toThrow('Model does not exist.');
});

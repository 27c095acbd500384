import { expect, it } from 'vitest';
import { refusal } from '../../test/refusals.ts';
import { deliveryOf, refuseStreaming } from './delivery.ts';

it.each([
  [['gpt-image-1'], undefined, 'b64_json'],
  [['gpt-image-1-mini'], undefined, 'b64_json'],
  [['chatgpt-image-latest'], undefined, 'b64_json'],
  [['openai/gpt-image-1'], undefined, 'b64_json'],
  [['poster', 'gpt-image-1'], undefined, 'b64_json'],
  [['gpt-image-1', 'qwen-image'], undefined, 'b64_json'],
  [['dall-e-3'], undefined, 'url'],
  [['not-gpt-image', 'qwen-image'], undefined, 'url'],
  [[], undefined, 'url'],
  [['poster', 'gpt-image-1'], 'url', 'url'],
  [['qwen-image'], 'b64_json', 'b64_json'],
] as const)('delivers images of %j, requested as %s, as %s', (models, requested, delivery) => {
  expect(deliveryOf(models, requested)).toBe(delivery);
});

it('rejects only streamed images', () => {
  expect(() => refuseStreaming({ stream: true })).toThrow(refusal('stream', 'unsupported_parameter'));
  expect(() => refuseStreaming({ partial_images: 1 })).toThrow(refusal('partial_images', 'unsupported_parameter'));
  expect(() => refuseStreaming({ stream: false, partial_images: 0 })).not.toThrow();
  expect(() => refuseStreaming({})).not.toThrow();
});

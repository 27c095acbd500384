import { type MediaCapabilities, type MediaLoss, UnsupportedParamsError, type VideoRequest } from '@sluice/canonical';
import { scriptedVendor } from '@sluice/testkit';
import { describe, expect, it } from 'vitest';
import { lostFields, reviewTargets } from './review-targets.ts';

/**
 * An upstream that generates 5-second videos and does not support negative prompts.
 * @param refuses if set, images are rejected with an error about this field
 */
function upstream(refuses?: 'lastFrame') {
  const video = scriptedVendor();
  video.review = (_model, request, report) => {
    if (refuses && request.images.length > 0)
      throw new UnsupportedParamsError(refuses, 'is not supported by this model');
    if (request.negativePrompt !== undefined) report({ field: 'negativePrompt', how: 'dropped' });
    report({ field: 'seconds', how: 'clamped' });
    report({ field: 'seconds', how: 'clamped' });
    return { seconds: '5' };
  };
  return { video };
}

const accounts = new Map<string, MediaCapabilities>([
  ['plain', upstream()],
  ['picky', upstream('lastFrame')],
  ['text', {}],
]);
const fieldNames = { negativePrompt: 'negative_prompt', seconds: 'duration', lastFrame: 'image_tail' };
const image = { role: 'last_frame', source: { kind: 'url', url: 'https://a.test/b.png' } } as const;

function review(upstreams: string[], request: Partial<VideoRequest> = {}, strict = false) {
  return reviewTargets(accounts, {
    model: 'video',
    targets: upstreams.map((name) => ({ upstream: name, model: 'm' })),
    request: { kind: 'video', prompt: 'a kite', images: [], ...request },
    fieldNames,
    strict,
  });
}

describe('reviewTargets', () => {
  it('returns the routes that support the request, with the losses of the first', () => {
    expect(review(['text', 'picky', 'plain'], { images: [image] })).toEqual({
      targets: [{ upstream: 'plain', model: 'm' }],
      seconds: '5',
      losses: [{ field: 'seconds', how: 'clamped' }],
    });
  });

  it('reports why the first route is unsuitable if no route is suitable', () => {
    expect(() => review(['picky', 'text'], { images: [image] })).toThrow(
      expect.objectContaining({
        code: 'unsupported_parameter',
        param: 'image_tail',
        message: 'image_tail is not supported by this model.',
      }),
    );
  });

  it('rejects a model of another kind', () => {
    expect(() => review(['text'])).toThrow(
      expect.objectContaining({ code: 'invalid_request', message: 'Model `video` does not generate videos.' }),
    );
  });

  it('rejects losses in strict mode', () => {
    expect(() => review(['plain'], {}, true)).toThrow(
      expect.objectContaining({ code: 'unsupported_parameter', param: 'duration' }),
    );
  });
});

describe('x-sluice-dropped', () => {
  it("uses the client's field names", () => {
    const losses: MediaLoss[] = [
      { field: 'negativePrompt', how: 'dropped' },
      { field: 'seed', how: 'dropped' },
    ];
    expect(lostFields(losses, fieldNames)).toEqual(['negative_prompt', 'seed']);
    expect(lostFields([], fieldNames)).toEqual([]);
  });
});

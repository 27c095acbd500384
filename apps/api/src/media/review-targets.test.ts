import { type MediaCapabilities, type MediaLoss, UnsupportedParamsError, type VideoRequest } from '@sluice/canonical';
import { scriptedVendor } from '@sluice/testkit';
import { describe, expect, it } from 'vitest';
import { lossHeader, reviewTargets } from './review-targets.ts';

/** An upstream that makes videos of 5 seconds, takes no negative prompt, and refuses pictures where it is told to. */
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
    model: 'film',
    targets: upstreams.map((name) => ({ upstream: name, model: 'm' })),
    request: { kind: 'video', prompt: 'a kite', images: [], ...request },
    fieldNames,
    strict,
  });
}

describe('the routes of a wish', () => {
  it('are those whose upstream can do it, with what the first of them will make of it', () => {
    expect(review(['text', 'picky', 'plain'], { images: [image] })).toEqual({
      targets: [{ upstream: 'plain', model: 'm' }],
      seconds: '5',
      losses: [{ field: 'seconds', how: 'clamped' }],
    });
  });

  it('are none when nobody can do it: the client is told why the first could not, in its own words', () => {
    expect(() => review(['picky', 'text'], { images: [image] })).toThrow(
      expect.objectContaining({
        code: 'unsupported_parameter',
        param: 'image_tail',
        message: 'image_tail is not supported by this model.',
      }),
    );
  });

  it('are none for a model that makes something else', () => {
    expect(() => review(['text'])).toThrow(
      expect.objectContaining({ code: 'invalid_request', message: 'The model "film" does not make videos.' }),
    );
  });

  it('lose nothing in strict mode', () => {
    expect(() => review(['plain'], {}, true)).toThrow(
      expect.objectContaining({ code: 'unsupported_parameter', param: 'duration' }),
    );
  });
});

describe('x-sluice-dropped', () => {
  it('names fields as the client spells them', () => {
    const losses: MediaLoss[] = [
      { field: 'negativePrompt', how: 'dropped' },
      { field: 'seed', how: 'dropped' },
    ];
    expect(lossHeader(losses, fieldNames)).toBe('negative_prompt, seed');
    expect(lossHeader([], fieldNames)).toBe('');
  });
});

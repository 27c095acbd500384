import { describe, expect, it } from 'vitest';
import { dashscopeVideo } from './models.ts';

const ALWAYS = { audio: true };
const NEVER = { audio: false };

describe('reads version and mode from the name', () => {
  it.each([
    ['wan2.6-t2v', { images: {}, frame: 'size', fixed: ALWAYS, maxPrompt: 1500 }, [2, 15], '720P 1080P'],
    ['wan2.6-i2v', { imageField: 'img_url', frame: 'tier' }, [2, 15], '720P 1080P'],
    ['wan2.6-i2v-flash', { imageField: 'img_url', needs: ['first_frame'] }, [2, 15], '720P 1080P'],
    ['wan2.6-r2v', { imageField: 'reference_urls', frame: 'size', allowsMixedImages: true }, [2, 10], '720P 1080P'],
    ['wan2.5-t2v-preview', { frame: 'size', fixed: ALWAYS, maxPrompt: 2000 }, [5, 10], '480P 720P 1080P'],
    ['wan2.5-i2v-preview', { imageField: 'img_url' }, [5, 10], '480P 720P 1080P'],
    ['wan2.2-t2v-plus', { frame: 'size', fixed: NEVER, maxPrompt: 800 }, [5, 5], '480P 1080P'],
    ['wan2.2-i2v-flash', { imageField: 'img_url', fixed: NEVER }, [5, 5], '480P 720P 1080P'],
    ['wanx2.1-i2v-turbo', { imageField: 'img_url' }, [3, 5], '480P 720P'],
    ['wan2.1-t2v-plus', { images: {} }, [5, 5], '720P'],
    ['wan2.2-kf2v-flash', { imageField: 'frames', path: '/image2video/video-synthesis' }, [5, 5], '480P 720P 1080P'],
    ['wanx2.1-kf2v-plus', { imageField: 'frames', frame: 'tier', fixed: NEVER }, [5, 5], '720P'],
    ['wan2.7-t2v', { images: {}, frame: 'tier and ratio', fixed: ALWAYS, maxPrompt: 5000 }, [2, 15], '720P 1080P'],
    ['wan2.7-t2v-2026-06-12', { images: {} }, [2, 15], '720P 1080P'],
    [
      'wan2.7-i2v',
      { imageField: 'media', images: { first_frame: 1, last_frame: 1 }, frame: 'tier' },
      [2, 15],
      '720P 1080P',
    ],
    ['wan2.7-r2v', { imageField: 'media', frame: 'tier and ratio' }, [2, 10], '720P 1080P'],
    ['wan3.0-video', { imageField: 'media' }, [2, 30], '480P 720P 1080P'],
  ])('%s', (model, expected, [min, max], tiers) => {
    const family = dashscopeVideo(model);
    expect(family).toMatchObject(expected);
    expect([family.seconds?.[0], family.seconds?.at(-1)]).toEqual([min, max]);
    expect(family.tiers.join(' ')).toBe(tiers);
  });
});

it.each(['happyhorse-1.0', 'wan2.2-s2v', 'pixverse/v5'])('returns no limits for the unknown model %s', (model) => {
  const { imageField, seconds, fixed, needs } = dashscopeVideo(model);
  expect({ imageField, seconds, fixed, needs }).toEqual({ imageField: 'media' });
});

import { describe, expect, it } from 'vitest';
import { videoFamily } from './video-models.ts';

describe('a model is known by its version and mode', () => {
  it.each([
    ['wan2.6-t2v', { takes: {}, frame: 'size', sound: 'always', maxPrompt: 1500 }, [2, 15], '720P 1080P'],
    ['wan2.6-i2v', { images: 'img_url', frame: 'tier', sound: 'chosen' }, [2, 15], '720P 1080P'],
    ['wan2.6-i2v-flash', { images: 'img_url', needs: ['first_frame'] }, [2, 15], '720P 1080P'],
    ['wan2.6-r2v', { images: 'reference_urls', frame: 'size', extends: false, refers: true }, [2, 10], '720P 1080P'],
    ['wan2.5-t2v-preview', { frame: 'size', sound: 'always', maxPrompt: 2000 }, [5, 10], '480P 720P 1080P'],
    ['wan2.5-i2v-preview', { images: 'img_url', sound: 'chosen' }, [5, 10], '480P 720P 1080P'],
    ['wan2.2-t2v-plus', { frame: 'size', sound: 'never', maxPrompt: 800 }, [5, 5], '480P 1080P'],
    ['wan2.2-i2v-flash', { images: 'img_url', sound: 'never' }, [5, 5], '480P 720P 1080P'],
    ['wanx2.1-i2v-turbo', { images: 'img_url' }, [3, 5], '480P 720P'],
    ['wan2.1-t2v-plus', { takes: {} }, [5, 5], '720P'],
    ['wan2.2-kf2v-flash', { images: 'frames', path: '/image2video/video-synthesis' }, [5, 5], '480P 720P 1080P'],
    ['wanx2.1-kf2v-plus', { images: 'frames', frame: 'tier', sound: 'never' }, [5, 5], '720P'],
    ['wan2.7-t2v', { takes: {}, frame: 'tier and ratio', sound: 'always', maxPrompt: 5000 }, [2, 15], '720P 1080P'],
    ['wan2.7-t2v-2026-06-12', { takes: {} }, [2, 15], '720P 1080P'],
    ['wan2.7-i2v', { images: 'media', takes: { first_frame: 1, last_frame: 1 }, frame: 'tier' }, [2, 15], '720P 1080P'],
    ['wan2.7-r2v', { images: 'media', frame: 'tier and ratio', extends: true }, [2, 10], '720P 1080P'],
    ['wan3.0-video', { images: 'media', needs: [], sound: 'chosen' }, [2, 30], '480P 720P 1080P'],
  ])('%s', (model, expected, [min, max], tiers) => {
    const family = videoFamily(model);
    expect(family).toMatchObject(expected);
    expect([family.seconds?.[0], family.seconds?.at(-1)]).toEqual([min, max]);
    expect(family.tiers.join(' ')).toBe(tiers);
  });
});

it.each(['happyhorse-1.0', 'wan2.2-s2v', 'pixverse/v5'])('nothing is known of %s', (model) => {
  const { images, seconds, sound, needs } = videoFamily(model);
  expect({ images, seconds, sound, needs }).toEqual({ images: 'media', needs: [] });
});

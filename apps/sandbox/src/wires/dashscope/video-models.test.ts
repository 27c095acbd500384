import { describe, expect, it } from 'vitest';
import { videoModelOf } from './video-models.ts';

describe('videoModelOf', () => {
  it.each([
    ['wan2.6-t2v', 'text'],
    ['wan2.5-t2v-preview', 'text'],
    ['wan2.2-t2v-plus', 'text'],
    ['wanx2.1-t2v-turbo', 'text'],
    ['wan2.6-i2v-flash', 'image'],
    ['wan2.2-kf2v-flash', 'frames'],
    ['wan2.6-r2v', 'references'],
    ['wan2.7-t2v-2026-06-12', 'text'],
    ['wan2.7-i2v', 'frame-media'],
    ['wan2.7-r2v', 'reference-media'],
    ['wan3.0-video', 'any-media'],
  ])('returns the rules of %s', (name, input) => {
    expect(videoModelOf(name)?.input).toBe(input);
  });

  it.each(['', 'wan2.6', 'wan2.6-t2i', 'qwen-image', 'WAN2.6-T2V', 'xwan2.6-t2v'])('returns nothing for %j', (name) => {
    expect(videoModelOf(name)).toBeUndefined();
  });

  it('uses a separate path for videos with two frames', () => {
    const services = ['wan2.2-kf2v-flash', 'wan2.6-i2v'].map((name) => videoModelOf(name)?.service);
    expect(services).toEqual(['image2video', 'video-generation']);
  });
});

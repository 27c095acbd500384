import { describe, expect, it } from 'vitest';
import { imageFrame, imageModelOf } from './image-models.ts';

function frame(name: string, size: string): unknown {
  const model = imageModelOf(name);
  return model === undefined ? 'no model' : imageFrame(model, size);
}

describe('imageModelOf', () => {
  it.each([
    ['qwen-image', ['messages', 'prompt'], 1, [0, 0]],
    ['qwen-image-plus-2026-01-09', ['messages', 'prompt'], 1, [0, 0]],
    ['qwen-image-max', ['messages'], 1, [0, 0]],
    ['qwen-image-2.0-pro', ['messages'], 6, [0, 3]],
    ['qwen-image-3.0', ['messages'], 6, [0, 3]],
    ['qwen-image-edit', ['messages'], 1, [1, 3]],
    ['qwen-image-edit-plus', ['messages'], 6, [1, 3]],
    ['wan2.6-image', ['messages'], 4, [0, 4]],
    ['wan2.5-t2i-preview', ['prompt'], 4, [0, 0]],
    ['wanx2.1-t2i-turbo', ['prompt'], 4, [0, 0]],
  ])('returns the rules of %s', (name, calls, max, images) => {
    expect(imageModelOf(name)).toMatchObject({ calls, max, images });
  });

  it.each(['', 'wan2.6-t2v', 'qwen-imagery', 'gpt-image-1'])('returns nothing for %j', (name) => {
    expect(imageModelOf(name)).toBeUndefined();
  });

  it('accepts its own default sizes', () => {
    const names = ['qwen-image', 'qwen-image-2.0', 'qwen-image-edit', 'wan2.2-t2i-flash', 'wan2.6-t2i', 'wan2.7-image'];
    for (const name of names) expect(frame(name, imageModelOf(name)?.defaultSize ?? '')).toBeDefined();
  });
});

describe('imageFrame', () => {
  it.each([
    ['qwen-image', '1664*928', { width: 1664, height: 928 }],
    ['qwen-image-edit-plus', '512*2048', { width: 512, height: 2048 }],
    ['wan2.2-t2i-flash', '1440*512', { width: 1440, height: 512 }],
    ['wan2.6-t2i', '720*1440', { width: 720, height: 1440 }],
    ['wan2.7-image', '2K', { width: 2048, height: 2048 }],
  ])('%s accepts %s', (name, size, expected) => {
    expect(frame(name, size)).toEqual(expected);
  });

  it.each([
    ['qwen-image', '1024*1024'],
    ['qwen-image', '1664x928'],
    ['qwen-image-edit-plus', '511*1024'],
    ['wan2.2-t2i-flash', '1441*512'],
    ['wan2.6-t2i', '767*768'],
    ['wan2.6-t2i', '512*2049'],
    ['wan2.6-image', '4K'],
    ['wan2.6-t2i', '1K'],
    ['wan2.6-t2i', 'large'],
    ['wan2.6-t2i', '0*0'],
  ])('%s does not accept %s', (name, size) => {
    expect(frame(name, size)).toBeUndefined();
  });
});

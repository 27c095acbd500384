import { describe, expect, it } from 'vitest';
import { freeSizeProblem, readSize } from './image-size.ts';

describe('readSize', () => {
  it('reads sizes and auto', () => {
    expect(readSize('1536x864')).toEqual({ width: 1536, height: 864 });
    expect(readSize('auto')).toEqual({ width: 1024, height: 1024 });
  });

  it.each(['', 'big', '0x512', '1024*1024', '1024X1024', '5x5', '-16x16', '10000x16', '1024x1024 '])(
    'rejects %j',
    (size) => {
      expect(readSize(size)).toBeUndefined();
    },
  );
});

describe('freeSizeProblem', () => {
  it.each(['auto', '1024x1024', '1536x864', '3840x2160', '2160x3840', '16x48'])('finds none in %s', (size) => {
    expect(freeSizeProblem(size)).toBeUndefined();
  });

  it.each([
    ['big', 'WIDTHxHEIGHT'],
    ['1000x1024', 'divisible by 16'],
    ['1024x1000', 'divisible by 16'],
    ['16x64', '1:3'],
    ['3856x2160', '3840x2160'],
    ['3840x2176', '3840x2160'],
  ])('finds one in %s', (size, problem) => {
    expect(freeSizeProblem(size)).toContain(problem);
  });
});

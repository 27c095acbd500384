import { describe, expect, it } from 'vitest';
import { toolDirectives } from './tool-directives.ts';

describe('toolDirectives', () => {
  it('finds several, in order, in any case', () => {
    expect(toolDirectives('x [tool:a] [TOOL:b.c]')).toEqual([
      { name: 'a', from: 2, to: 10 },
      { name: 'b.c', from: 11, to: 21 },
    ]);
  });

  it('accepts a JSON object with brackets, braces, and quotes', () => {
    const input = String.raw`{"a":["}]",{"b":"\"]"}]}`;
    expect(toolDirectives(`[tool:a ${input}] [tool:b]`)).toMatchObject([{ name: 'a', input }, { name: 'b' }]);
  });

  it('accepts free text', () => {
    expect(toolDirectives('[tool:exec ls -l]')).toMatchObject([{ name: 'exec', input: 'ls -l' }]);
  });

  it('ignores an unterminated directive', () => {
    expect(toolDirectives('[tool:a')).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { hasTextDirective, withoutDirectives, directiveNumber } from './text-directives.ts';

describe('text directives', () => {
  it('match in any case, and only in brackets', () => {
    expect(hasTextDirective('please [THINK]', 'think')).toBe(true);
    expect(hasTextDirective('please think', 'think')).toBe(false);
  });

  it('carry numbers', () => {
    expect(directiveNumber('[slow:0.5] [drip:20]', 'slow')).toBe(0.5);
    expect(directiveNumber('[slow:0.5] [drip:20]', 'drip')).toBe(20);
    expect(directiveNumber('[long:]', 'long')).toBeUndefined();
  });

  it('leave no trace in the echo', () => {
    expect(withoutDirectives('say [think] hello [tool:a {"x":[1]}] there [drip:1]')).toBe('say hello there');
    expect(withoutDirectives('你好  🌍')).toBe('你好  🌍');
    expect(withoutDirectives('[empty]')).toBe('');
  });
});

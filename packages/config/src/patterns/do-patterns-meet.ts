import { matchPattern } from './match-pattern.ts';

/** Checks whether some id matches both patterns. `other` may be an id without stars. */
export function doPatternsMeet(one: string, other: string): boolean {
  if (!other.includes('*')) return matchPattern(one, other) !== undefined;
  // Any text matches between the first and the last star, so only the prefixes and suffixes must be compatible.
  const [a, b] = [endsOf(one), endsOf(other)];
  return agree(a.first, b.first, 'startsWith') && agree(a.final, b.final, 'endsWith');
}

function endsOf(pattern: string): { first: string; final: string } {
  return { first: pattern.slice(0, pattern.indexOf('*')), final: pattern.slice(pattern.lastIndexOf('*') + 1) };
}

function agree(one: string, other: string, how: 'startsWith' | 'endsWith'): boolean {
  return one[how](other) || other[how](one);
}

import { matchPattern } from './match-pattern.ts';

/** Whether some id matches both patterns; the second may be an id itself. */
export function doPatternsMeet(one: string, other: string): boolean {
  if (!other.includes('*')) return matchPattern(one, other) !== undefined;
  // Anything matches between the first and the last star: only the beginnings and the ends must agree.
  const [a, b] = [ends(one), ends(other)];
  return agree(a.first, b.first, 'startsWith') && agree(a.final, b.final, 'endsWith');
}

function ends(pattern: string): { first: string; final: string } {
  return { first: pattern.slice(0, pattern.indexOf('*')), final: pattern.slice(pattern.lastIndexOf('*') + 1) };
}

function agree(one: string, other: string, how: 'startsWith' | 'endsWith'): boolean {
  return one[how](other) || other[how](one);
}

import { matchPattern } from './match-pattern.ts';

/** Whether some id matches both patterns; the second may be an id itself. */
export function doPatternsMeet(one: string, other: string): boolean {
  if (!other.includes('*')) return matchPattern(one, other) !== undefined;
  // Anything matches between the first and the last star: only the first and the last parts must agree.
  const [a, b] = [endsOf(one), endsOf(other)];
  return agree(a.first, b.first, 'startsWith') && agree(a.final, b.final, 'endsWith');
}

function endsOf(pattern: string): { first: string; final: string } {
  return { first: pattern.slice(0, pattern.indexOf('*')), final: pattern.slice(pattern.lastIndexOf('*') + 1) };
}

function agree(one: string, other: string, how: 'startsWith' | 'endsWith'): boolean {
  return one[how](other) || other[how](one);
}

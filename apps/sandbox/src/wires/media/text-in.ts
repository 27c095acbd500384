import { valueAt } from '../../schema/deepest-issue.ts';

/** Returns an empty string if there is no text at the path. */
export function textIn(body: unknown, ...path: (string | number)[]): string {
  const value = valueAt(body, path);
  return typeof value === 'string' ? value : '';
}

import { valueAt } from '../../schema/deepest-issue.ts';

/** Empty if there is no text at the path. */
export function textIn(body: unknown, ...path: (string | number)[]): string {
  const value = valueAt(body, path);
  return typeof value === 'string' ? value : '';
}

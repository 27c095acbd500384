import { isRecord } from '../is-record.ts';

/** Keys that Google's API takes in `snake_case` too. */
const TWINS: Readonly<Record<string, string>> = {
  task_type: 'taskType',
  output_dimensionality: 'outputDimensionality',
};

/** A request with its keys in camel case, and without nulls, which count as absent. The proper spelling wins. */
export function camelKeys(body: unknown): unknown {
  if (!isRecord(body)) return body;
  const entries = Object.entries(body).flatMap(([key, value]): [string, unknown][] => {
    if (value === null || value === undefined) return [];
    const proper = Object.hasOwn(TWINS, key) ? TWINS[key] : undefined;
    if (proper === undefined) return [[key, value]];
    return body[proper] === undefined || body[proper] === null ? [[proper, value]] : [];
  });
  // Not by assignment: a key `__proto__` would set the prototype.
  return Object.fromEntries(entries);
}

import { isRecord } from '../json/is-record.ts';

/** Keys that Google's API also accepts in `snake_case`. */
const TWINS: Readonly<Record<string, string>> = {
  task_type: 'taskType',
  output_dimensionality: 'outputDimensionality',
};

/**
 * Returns a request as Google's API reads it: keys in camel case, which wins over snake case, no nulls, and a single
 * part
 * as a list.
 */
export function normaliseEmbedContent(body: unknown): unknown {
  if (!isRecord(body)) return body;
  const entries = Object.entries(body).flatMap(([key, value]): [string, unknown][] => {
    if (value === null || value === undefined) return [];
    const proper = Object.hasOwn(TWINS, key) ? TWINS[key] : undefined;
    if (proper === undefined) return [[key, key === 'content' ? withParts(value) : value]];
    return body[proper] === undefined || body[proper] === null ? [[proper, value]] : [];
  });
  // Not by assignment: a key `__proto__` would set the prototype.
  return Object.fromEntries(entries);
}

function withParts(content: unknown): unknown {
  return isRecord(content) && isRecord(content['parts']) ? { ...content, parts: [content['parts']] } : content;
}

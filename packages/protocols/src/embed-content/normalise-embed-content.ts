import { isRecord } from '../json/is-record.ts';

/** Keys that Google's API takes in `snake_case` too. */
const TWINS: Readonly<Record<string, string>> = {
  task_type: 'taskType',
  output_dimensionality: 'outputDimensionality',
};

/**
 * A request with its keys in camel case, where the proper spelling wins, without nulls, which count as absent, and with one
 * part as a list of one: all of it as Google's API takes it.
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

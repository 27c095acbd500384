import { isRecord } from '../json/is-record.ts';

/** Keys that Google's API also accepts in snake case. */
const SNAKE_CASE: Readonly<Record<string, string>> = {
  task_type: 'taskType',
  output_dimensionality: 'outputDimensionality',
};

/**
 * Converts keys to camel case, removes nulls, and puts a single part into an array. If a key is present in camel and snake
 * case, camel case wins, as in Google's API.
 */
export function normalizeRequest(body: unknown): unknown {
  if (!isRecord(body)) return body;
  const entries = Object.entries(body).flatMap(([key, value]): [string, unknown][] => {
    if (value === null || value === undefined) return [];
    const camel = Object.hasOwn(SNAKE_CASE, key) ? SNAKE_CASE[key] : undefined;
    if (camel === undefined) return [[key, key === 'content' ? withParts(value) : value]];
    return body[camel] === undefined || body[camel] === null ? [[camel, value]] : [];
  });
  // Avoids assignment, because a `__proto__` key would set the prototype.
  return Object.fromEntries(entries);
}

function withParts(content: unknown): unknown {
  return isRecord(content) && isRecord(content['parts']) ? { ...content, parts: [content['parts']] } : content;
}

const WIDTH = 120;

/**
 * Prints JSON in the formatter's layout: short values on one line, longer values on several lines. Ends with a newline.
 */
export function printJson(value: unknown): string {
  return `${print(value, 0, 0, 0)}\n`;
}

/**
 * @param before number of characters before the value on its line, after the indentation
 * @param after number of characters after the value on its line
 */
function print(value: unknown, depth: number, before: number, after: number): string {
  const flat = printFlat(value);
  if (flat !== undefined && depth * 2 + before + flat.length + after <= WIDTH) return flat;
  const indent = '  '.repeat(depth + 1);
  const end = `\n${'  '.repeat(depth)}`;
  if (Array.isArray(value)) {
    const items = value.map((item, at) => indent + print(item, depth + 1, 0, at < value.length - 1 ? 1 : 0));
    return `[\n${items.join(',\n')}${end}]`;
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  const lines = entries.map(([name, inner], at) => {
    const key = `${JSON.stringify(name)}: `;
    return indent + key + print(inner, depth + 1, key.length, at < entries.length - 1 ? 1 : 0);
  });
  return `{\n${lines.join(',\n')}${end}}`;
}

/**
 * Prints a value on one line. Returns undefined for lists of several objects or lists, which always need several lines.
 */
function printFlat(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) {
    if (
      value.length > 1 &&
      (value.every((item) => sizeOf(item, false) > 1) || value.every((item) => sizeOf(item, true) > 1))
    ) {
      return undefined;
    }
    const items = value.map((item) => printFlat(item));
    return items.includes(undefined) ? undefined : `[${items.join(', ')}]`;
  }
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  const members = entries.map(([name, inner]) => {
    const text = printFlat(inner);
    return text === undefined ? undefined : `${JSON.stringify(name)}: ${text}`;
  });
  if (members.includes(undefined)) return undefined;
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

function sizeOf(value: unknown, isList: boolean): number {
  if (typeof value !== 'object' || value === null || Array.isArray(value) !== isList) return 0;
  return Object.keys(value).length;
}

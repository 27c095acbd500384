const IDENTIFIER = /^[A-Za-z_]\w*$/;

/** Formats a JSON value as Python. */
export function pythonLiteral(value: unknown, indent = ''): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'object') {
    return formatItems(value, indent, { step: '    ', space: '', format: pythonLiteral, nameOf: JSON.stringify });
  }
  return JSON.stringify(value);
}

/** Formats a JSON value as TypeScript. */
export function typescriptLiteral(value: unknown, indent = ''): string {
  if (typeof value === 'object' && value !== null) {
    const nameOf = (name: string): string => (IDENTIFIER.test(name) ? name : JSON.stringify(name));
    return formatItems(value, indent, { step: '  ', space: ' ', format: typescriptLiteral, nameOf });
  }
  return JSON.stringify(value);
}

interface Style {
  step: string;
  /** Inside the braces of objects. */
  space: string;
  format: (value: unknown, indent: string) => string;
  nameOf: (name: string) => string;
}

const MAX_LINE = 88;

/** Short objects and lists stay on one line. */
function formatItems(value: object, indent: string, { step, space, format, nameOf }: Style): string {
  const inner = indent + step;
  const isList = Array.isArray(value);
  const items = isList
    ? value.map((item) => format(item, inner))
    : Object.entries(value).map(([name, item]) => `${nameOf(name)}: ${format(item, inner)}`);
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  if (items.length === 0) return open + close;
  const pad = isList ? '' : space;
  const line = `${open}${pad}${items.join(', ')}${pad}${close}`;
  if (!line.includes('\n') && line.length + indent.length <= MAX_LINE) return line;
  return `${open}\n${items.map((item) => `${inner}${item},\n`).join('')}${indent}${close}`;
}

/** Quotes a text for a POSIX shell. */
export function shellLiteral(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

import { type Document, isAlias, isMap, isPair, isScalar, isSeq, LineCounter, parseDocument, visit } from 'yaml';
import { ConfigError, type ConfigIssue, type FieldPath } from '../issues/config-error.ts';

export interface YamlSource {
  value: unknown;
  /** Returns a field's position as `name:LINE:COL`, counted from 1, or its section's position if it is absent. */
  where: (path: FieldPath, part: 'key' | 'value') => string;
}

const REMEDIES: Record<string, string> = {
  TAB_AS_INDENT: 'indent with spaces',
  BAD_INDENT: 'line up the fields of one section',
  MISSING_CHAR: 'close the quote or bracket',
  BLOCK_AS_IMPLICIT_KEY: 'put the value in quotes if it contains a colon',
  MULTIPLE_DOCS: 'keep one document, without `---` lines',
};

/**
 * @param name the file's name in error messages
 * @throws ConfigError with all issues up to the first syntax error or unknown tag
 */
export function parseYamlSource(name: string, text: string): YamlSource {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const positionOf = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${name}:${Math.max(line, 1)}:${Math.max(col, 1)}`;
  };
  const issues = [...document.errors, ...document.warnings].map((error): ConfigIssue => {
    const where = positionOf(error.pos[0]);
    if (error.code === 'DUPLICATE_KEY')
      return { where, path: pathOfKey(document, error.pos[0]), wrong: 'appears twice', remedy: 'keep one of them' };
    if (text.startsWith('${', error.pos[0] - 1))
      return { where, path: [], wrong: 'a `${` here is read as the start of a section', remedy: 'put it in quotes' };
    return { where, path: [], wrong: error.message, remedy: REMEDIES[error.code] ?? 'correct the YAML there' };
  });
  // Errors that the parser reports after the first syntax error are misleading.
  const syntaxError = issues.findIndex((issue) => issue.path.length === 0);
  if (issues.length > 0) throw new ConfigError(syntaxError === -1 ? issues : issues.slice(0, syntaxError + 1));
  let value: unknown;
  try {
    value = document.toJS();
  } catch (error) {
    // The parser rejects aliases that would exhaust memory, but only while it resolves them.
    const wrong = error instanceof Error ? error.message : String(error);
    throw new ConfigError([{ where: positionOf(0), path: [], wrong, remedy: 'write the values out' }]);
  }
  return { value, where: (path, part) => positionOf(offsetOf(document, path, part)) };
}

function offsetOf(document: Document.Parsed, path: FieldPath, part: 'key' | 'value'): number {
  let node: unknown = document.contents;
  let offset = document.contents?.range[0] ?? 0;
  for (const [index, step] of path.entries()) {
    if (isAlias(node)) node = node.resolve(document);
    let key: unknown;
    if (isMap(node)) {
      const pair = node.items.find((item) => keyText(item.key) === String(step));
      if (pair === undefined) return offset;
      key = pair.key;
      node = pair.value;
    } else if (isSeq(node) && typeof step === 'number' && step < node.items.length) node = node.items[step];
    else return offset;
    const last = index === path.length - 1;
    offset = (last && part === 'key' ? startOf(key) : startOf(node)) ?? startOf(node) ?? startOf(key) ?? offset;
  }
  return offset;
}

function startOf(node: unknown): number | undefined {
  return isScalar(node) || isMap(node) || isSeq(node) || isAlias(node) ? node.range?.[0] : undefined;
}

function keyText(key: unknown): string {
  return String(isScalar(key) ? key.value : key);
}

function pathOfKey(document: Document.Parsed, offset: number): FieldPath {
  let path: FieldPath = [];
  visit(document, {
    Pair(_, pair, ancestors) {
      if (startOf(pair.key) !== offset) return undefined;
      const chain = [...ancestors, pair];
      path = chain.flatMap((node, index): (string | number)[] => {
        if (isPair(node)) return [keyText(node.key)];
        return isSeq(node) ? [node.items.indexOf(chain[index + 1])] : [];
      });
      return visit.BREAK;
    },
  });
  return path;
}

import { parseSync } from 'oxc-parser';
import { isTest } from '../lib/source-files.mjs';

/**
 * @typedef {'docs' | 'comment' | 'message' | 'title'} Kind
 * @typedef {{ kind: Kind, line: number, text: string }} Prose `line` is the line on which the text starts
 */

/**
 * Returns the English text of a file. Replaces text in backticks with spaces, because names and wire values are not
 * prose.
 * @returns {Prose[]}
 */
export function proseOf(path, source) {
  if (path.endsWith('.md')) return [{ kind: 'docs', line: 1, text: blankCode(markdownProse(source)) }];
  if (/\.(ts|mjs)$/.test(path)) return scriptProse(path, source);
  return lineComments(source, path.endsWith('.lua') ? /(?<=^|\s)--+(.*)$/ : /(?<=^|\s)#(?!!)(.*)$/);
}

/** Removes code blocks, link targets, HTML tags, and front matter. Keeps line breaks. */
function markdownProse(source) {
  return source
    .replaceAll(/^---\n[\s\S]*?\n---$/g, blank)
    .replaceAll(/^( *)(```+|~~~+)[\s\S]*?^\1\2.*$/gm, blank)
    .replaceAll(/\]\([^)]*\)/g, blank)
    .replaceAll(/<[^>\n]*>/g, blank);
}

function scriptProse(path, source) {
  const { program, comments } = parseSync(path, source);
  const lineAt = lineIndex(source);
  const prose = joinLineComments(comments, source)
    .filter(({ start }) => !source.startsWith('#!', start))
    .map(({ start, end }) => ({
      kind: 'comment',
      line: lineAt(start),
      text: blankCode(source.slice(start, end).replaceAll(/^[ \t]*(\/\*\*?|\*\/|\*|\/\/)/gm, blank)),
    }));
  const titles = new Set();
  visit(program, (node) => {
    if (isTitled(node)) titles.add(node.arguments[0]);
    const text = literalText(node, source);
    if (text === undefined) return;
    if (titles.has(node)) prose.push({ kind: 'title', line: lineAt(node.start), text: blankCode(text) });
    else if (!isTest(path) && isMessage(text))
      prose.push({ kind: 'message', line: lineAt(node.start), text: blankCode(text) });
  });
  return prose;
}

/** Joins consecutive `//` lines into one comment, so that rejected phrases are found across lines. */
function joinLineComments(comments, source) {
  const joined = [];
  for (const { type, start, end } of comments) {
    const last = joined.at(-1);
    if (type === 'Line' && last?.type === 'Line' && /^\s*$/.test(source.slice(last.end, start))) last.end = end;
    else joined.push({ type, start, end });
  }
  return joined;
}

const TEST_FUNCTIONS = new Set(['describe', 'it', 'test']);

/** Whether a node is a call of `it(…)`, `it.each(…)(…)`, or a similar function. */
function isTitled(node) {
  if (node.type !== 'CallExpression' || node.arguments.length === 0) return false;
  let callee = node.callee;
  while (callee && callee.type !== 'Identifier') callee = callee.object ?? callee.callee ?? callee.tag;
  return callee !== undefined && TEST_FUNCTIONS.has(callee.name);
}

/** Returns the text of a string literal or template. Replaces embedded expressions with spaces. */
function literalText(node, source) {
  if (node.type === 'Literal' && typeof node.value === 'string') return source.slice(node.start + 1, node.end - 1);
  if (node.type !== 'TemplateLiteral') return undefined;
  let text = source.slice(node.start + 1, node.end - 1);
  for (const { start, end } of node.expressions) {
    const from = start - node.start - 3; // The position of the opening `${`.
    const to = end - node.start;
    text = text.slice(0, from) + blank(text.slice(from, to)) + text.slice(to);
  }
  return text;
}

/** Text is a message if it contains two consecutive words. Templates with Lua or shell scripts are code. */
const isMessage = (text) => /[a-z]{2,},? [a-z]{2,}/i.test(text) && !/redis\.call|\blocal \w+ =|^#!|<&\d/m.test(text);

function lineComments(source, pattern) {
  const prose = [];
  let previous;
  for (const [index, line] of source.split('\n').entries()) {
    const text = pattern.exec(line)?.[1];
    const isOwnLine = text !== undefined && /^\s*(#|--)/.test(line);
    if (text === undefined) previous = undefined;
    else if (previous && isOwnLine) previous.text += `\n${blankCode(text)}`;
    else prose.push((previous = { kind: 'comment', line: index + 1, text: blankCode(text) }));
  }
  return prose;
}

/** Replaces escaped line breaks and code in backticks with spaces. The code must be within one paragraph. */
const blankCode = (text) => text.replaceAll(/\\n/g, blank).replaceAll(/\\?`(?:[^`\n]|\n(?!\s*\n))*`/g, blank);

const blank = (text) => text.replaceAll(/[^\n]/g, ' ');

function lineIndex(source) {
  const starts = [0];
  for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (starts[middle] <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}

const MODULE_DECLARATION = /^(Import|ExportAll|ExportNamed)/;

function visit(node, see) {
  if (Array.isArray(node)) return node.forEach((child) => visit(child, see));
  if (!node || typeof node.type !== 'string') return undefined;
  see(node);
  for (const [key, child] of Object.entries(node)) {
    if (key === 'source' && MODULE_DECLARATION.test(node.type)) continue;
    if (child && typeof child === 'object') visit(child, see);
  }
  return undefined;
}

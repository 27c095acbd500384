import { readFileSync } from 'node:fs';

/**
 * @typedef {{ pattern: RegExp, use: string, in: string[] | undefined, except: { path?: string, text?: string }[] }} Rule
 */

const LIST = JSON.parse(readFileSync(new URL('rejected-words.json', import.meta.url), 'utf8'));

/** Compiles the rules of `rejected-words.json`, which documents their fields, or of another list. @returns {Rule[]} */
export function rejectionRules(list = LIST.rejected) {
  return list.map(parseRule);
}

function parseRule({ reject, use, in: kinds, except = [] }) {
  return {
    pattern: new RegExp(`(?<![\\w-])(?:${reject.replaceAll(' ', '\\s+')})(?![\\w-])`, 'gi'),
    use,
    in: kinds,
    except,
  };
}

export function rejectedWords(path, { kind, line, text }, rules) {
  const hits = [];
  for (const { pattern, use, in: kinds, except } of rules) {
    if (kinds && !kinds.includes(kind)) continue;
    for (const match of text.matchAll(pattern)) {
      const around = text.slice(Math.max(0, match.index - 40), match.index + match[0].length + 40);
      if (except.some((rule) => isExcepted(rule, path, around))) continue;
      hits.push({ at: match.index, words: match[0].replaceAll(/\s+/g, ' '), use });
    }
  }
  const lineOf = (offset) => line + text.slice(0, offset).split('\n').length - 1;
  return hits.toSorted((a, b) => a.at - b.at).map(({ at, words, use }) => ({ path, line: lineOf(at), words, use }));
}

function isExcepted({ path: prefix, text }, path, around) {
  if (prefix !== undefined && !path.startsWith(prefix)) return false;
  return text === undefined || new RegExp(text.replaceAll(' ', '\\s+'), 'i').test(around);
}

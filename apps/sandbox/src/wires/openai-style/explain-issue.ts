import type { z } from 'zod';
import { deepestIssue, formatPath, valueAt } from '../../schema/deepest-issue.ts';
import type { WireError } from '../../http/wire-error.ts';
import { invalidParameter, missingParameter } from './openai-error.ts';

type Issue = z.core.$ZodIssue;

const NAMES: Readonly<Record<string, string>> = { number: 'a decimal', int: 'an integer', array: 'an array' };

function typeName(type: string): string {
  return NAMES[type] ?? (/^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`);
}

function givenType(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'an integer' : 'a decimal';
  return typeName(typeof value);
}

function listed(options: readonly unknown[]): string {
  const quoted = options.map((option) => `'${String(option)}'`);
  const last = quoted.pop() ?? '';
  if (quoted.length === 0) return last;
  return quoted.length === 1 ? `${quoted[0]} and ${last}` : `${quoted.join(', ')}, and ${last}`;
}

function outOfRange(issue: Extract<Issue, { code: 'too_big' | 'too_small' }>, param: string, value: unknown) {
  const isAbove = issue.code === 'too_big';
  const bound = isAbove ? issue.maximum : issue.minimum;
  const kind = issue.origin;
  if (kind === 'string' || kind === 'array') {
    const a = kind === 'array' ? 'an array' : 'a string';
    const length = kind === 'array' ? (Array.isArray(value) ? value.length : 0) : String(value).length;
    const message = isAbove
      ? `${kind} too long. Expected ${a} with maximum length ${bound}, but got ${a} with length ${length} instead.`
      : `empty ${kind}. Expected ${a} with minimum length ${bound}, but got an empty ${kind} instead.`;
    const code = isAbove ? `${kind}_above_max_length` : `empty_${kind}`;
    return invalidParameter(param, `Invalid '${param}': ${message}`, code);
  }
  const number = kind === 'int' || Number.isInteger(value) ? 'integer' : 'decimal';
  const [side, limit, sign] = isAbove ? ['above', 'maximum', '<='] : ['below', 'minimum', '>='];
  const message = `${number} ${side} ${limit} value. Expected a value ${sign} ${bound}, but got ${String(value)} instead.`;
  return invalidParameter(
    param,
    `Invalid '${param}': ${message}`,
    `${number}_${side}_${isAbove ? 'max' : 'min'}_value`,
  );
}

function explainValue(issue: Issue, param: string, value: unknown): WireError {
  if (value === undefined) return missingParameter(param);
  const options = issue.code === 'invalid_value' ? issue.values : 'options' in issue ? issue.options : undefined;
  if (Array.isArray(options) && typeof value === 'string') {
    const message = `Invalid value: '${value}'. Supported values are: ${listed(options)}.`;
    return invalidParameter(param, message, 'invalid_value');
  }
  if (issue.code === 'custom' && typeof value === 'string') {
    return invalidParameter(param, `Invalid '${param}': '${value.slice(0, 80)}'. ${issue.message}`, 'invalid_value');
  }
  const expected = issue.code === 'invalid_type' ? typeName(issue.expected) : 'another value';
  const message = `Invalid type for '${param}': expected ${expected}, but got ${givenType(value)} instead.`;
  return invalidParameter(param, message, 'invalid_type');
}

export function explainIssue(error: z.ZodError, body: unknown): WireError {
  const [first] = error.issues;
  if (first === undefined) return invalidParameter('', 'Invalid request.');
  const { issue, path } = deepestIssue(first);
  const param = formatPath(path);
  const value = valueAt(body, path);
  if (issue.code === 'unrecognized_keys') {
    const name = formatPath([...path, issue.keys[0] ?? '']);
    return invalidParameter(name, `Unknown parameter: '${name}'.`, 'unknown_parameter');
  }
  if (issue.code === 'too_big' || issue.code === 'too_small') return outOfRange(issue, param, value);
  if (issue.code !== 'invalid_format') return explainValue(issue, param, value);
  const pattern = (issue.pattern ?? issue.format).replaceAll(/^\/|\/$/g, '');
  const rule = `Expected a string that matches the pattern '${pattern}'.`;
  return invalidParameter(param, `Invalid '${param}': string does not match pattern. ${rule}`, 'invalid_value');
}

import type { z } from 'zod';
import { deepestIssue, valueAt } from '../../schema/deepest-issue.ts';
import type { WireError } from '../../http/wire-error.ts';
import { invalidParameter } from './openai-error.ts';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

function formatPath(path: Path): string {
  return path
    .map((step, at) => (typeof step === 'number' ? `[${step}]` : `${at > 0 ? '.' : ''}${String(step)}`))
    .join('');
}

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
  const words = options.map((option) => `'${String(option)}'`);
  const last = words.pop() ?? '';
  if (words.length === 0) return last;
  return words.length === 1 ? `${words[0]} and ${last}` : `${words.join(', ')}, and ${last}`;
}

function tooBig(issue: Extract<Issue, { code: 'too_big' }>, param: string, value: unknown): WireError {
  const { origin, maximum } = issue;
  if (origin === 'string') {
    const message = `Invalid '${param}': string too long. Expected a string with maximum length ${maximum}, but got a string with length ${String(value).length} instead.`;
    return invalidParameter(param, message, 'string_above_max_length');
  }
  if (origin === 'array') {
    const length = Array.isArray(value) ? value.length : 0;
    const message = `Invalid '${param}': array too long. Expected an array with maximum length ${maximum}, but got an array with length ${length} instead.`;
    return invalidParameter(param, message, 'array_above_max_length');
  }
  const kind = origin === 'int' || Number.isInteger(value) ? 'integer' : 'decimal';
  const message = `Invalid '${param}': ${kind} above maximum value. Expected a value <= ${maximum}, but got ${String(value)} instead.`;
  return invalidParameter(param, message, `${kind}_above_max_value`);
}

function tooSmall(issue: Extract<Issue, { code: 'too_small' }>, param: string, value: unknown): WireError {
  const { origin, minimum } = issue;
  if (origin === 'array') {
    const message = `Invalid '${param}': empty array. Expected an array with minimum length ${minimum}, but got an empty array instead.`;
    return invalidParameter(param, message, 'empty_array');
  }
  if (origin === 'string') {
    const message = `Invalid '${param}': empty string. Expected a string with minimum length ${minimum}, but got an empty string instead.`;
    return invalidParameter(param, message, 'empty_string');
  }
  const kind = origin === 'int' || Number.isInteger(value) ? 'integer' : 'decimal';
  const message = `Invalid '${param}': ${kind} below minimum value. Expected a value >= ${minimum}, but got ${String(value)} instead.`;
  return invalidParameter(param, message, `${kind}_below_min_value`);
}

function explainValue(issue: Issue, param: string, value: unknown): WireError {
  if (value === undefined) {
    return invalidParameter(param, `Missing required parameter: '${param}'.`, 'missing_required_parameter');
  }
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
  if (issue.code === 'too_big') return tooBig(issue, param, value);
  if (issue.code === 'too_small') return tooSmall(issue, param, value);
  if (issue.code !== 'invalid_format') return explainValue(issue, param, value);
  const pattern = (issue.pattern ?? issue.format).replaceAll(/^\/|\/$/g, '');
  const rule = `Expected a string that matches the pattern '${pattern}'.`;
  return invalidParameter(param, `Invalid '${param}': string does not match pattern. ${rule}`, 'invalid_value');
}

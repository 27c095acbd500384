import type { FieldPath } from '../issues/config-error.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Expansion {
  /** The expanded value. Fields that are null or refer to an unset variable are omitted. */
  value: unknown;
  /** The variables that each field refers to, keyed by {@link pathKey}. */
  variables: Map<string, string[]>;
  unset: { path: FieldPath; variable: string }[];
  malformed: FieldPath[];
}

const REFERENCE = /\$\$\{|\$\{(?<body>[^}]*)(?<close>\})?/g;
const BODY = /^(?<name>[A-Za-z_][A-Za-z0-9_]*)(?::-(?<fallback>.*))?$/s;
const MAX_DEPTH = 64;

/** Reads a variable. An empty variable is treated as unset, as a shell does in `${NAME:-default}`. */
export function readVariable(env: Environment, name: string): string | undefined {
  const value = env[name];
  return value === '' ? undefined : value;
}

export function pathKey(path: FieldPath): string {
  return JSON.stringify(path);
}

/**
 * Replaces `${NAME}` and `${NAME:-default}` in every string of a JSON value; `$${` becomes `${`.
 * @throws RangeError if the value is nested too deeply or circular
 */
export function expandEnvironment(value: unknown, env: Environment): Expansion {
  const expansion: Expansion = { value: undefined, variables: new Map(), unset: [], malformed: [] };
  expansion.value = expand(value, [], env, expansion);
  return expansion;
}

function expand(value: unknown, path: FieldPath, env: Environment, expansion: Expansion): unknown {
  if (path.length > MAX_DEPTH) throw new RangeError(`nested deeper than ${MAX_DEPTH} levels`);
  if (typeof value === 'string') return expandText(value, path, env, expansion);
  if (Array.isArray(value)) return value.map((item: unknown, index) => expand(item, [...path, index], env, expansion));
  if (typeof value !== 'object' || value === null) return value ?? undefined;
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => [
    key,
    expand(item, [...path, key], env, expansion),
  ]);
  return Object.fromEntries(entries.filter(([, item]) => item !== undefined));
}

function expandText(text: string, path: FieldPath, env: Environment, expansion: Expansion): string | undefined {
  const names: string[] = [];
  let complete = true;
  const expanded = text.replaceAll(REFERENCE, (reference: string, body?: string, close?: string) => {
    if (reference === '$${') return '${';
    const groups = close === undefined ? undefined : BODY.exec(body ?? '')?.groups;
    if (groups?.['name'] === undefined) {
      expansion.malformed.push(path);
      return reference;
    }
    names.push(groups['name']);
    const value = readVariable(env, groups['name']) ?? groups['fallback'];
    if (value !== undefined) return value;
    expansion.unset.push({ path, variable: groups['name'] });
    complete = false;
    return '';
  });
  if (names.length > 0) expansion.variables.set(pathKey(path), names);
  return complete ? expanded : undefined;
}

import type { FieldPath } from '../issues/config-error.ts';
import { mayReferToFile } from '../settings/secret-field.ts';
import type { SecretFiles } from './secret-files.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Expansion {
  /** The expanded value. Fields that are null or refer to an unset variable are omitted. */
  value: unknown;
  /** The variables that each field refers to, keyed by {@link pathKey}. */
  variables: Map<string, string[]>;
  unset: { path: FieldPath; variable: string }[];
  malformed: FieldPath[];
  /** References that are not allowed there, or to files that cannot be read. */
  refused: { path: FieldPath; wrong: string; remedy: string }[];
}

export interface References {
  /** The files that the value refers to. */
  files?: SecretFiles;
  /** Refuses a variable. @returns the problem */
  refuseVariable?: (path: FieldPath, name: string) => { wrong: string; remedy: string } | undefined;
}

const REFERENCE = /\$\$\{|\$\{(?<body>[^}]*)(?<close>\})?/g;
const FILE = /^file:(?<file>.+)$/s;
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
 * Replaces `${NAME}`, `${NAME:-default}`, and `${file:PATH}` in every string of a JSON value; `$${` becomes `${`.
 * @throws RangeError if the value is nested too deeply or circular
 */
export function expandEnvironment(value: unknown, env: Environment, references: References = {}): Expansion {
  const expansion: Expansion = { value: undefined, variables: new Map(), unset: [], malformed: [], refused: [] };
  expansion.value = expand(value, [], { env, ...references }, expansion);
  return expansion;
}

function expand(value: unknown, path: FieldPath, references: AllReferences, expansion: Expansion): unknown {
  if (path.length > MAX_DEPTH) throw new RangeError(`nested deeper than ${MAX_DEPTH} levels`);
  if (typeof value === 'string') return expandText(value, path, references, expansion);
  if (Array.isArray(value))
    return value.map((item: unknown, index) => expand(item, [...path, index], references, expansion));
  if (typeof value !== 'object' || value === null) return value ?? undefined;
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => [
    key,
    expand(item, [...path, key], references, expansion),
  ]);
  return Object.fromEntries(entries.filter(([, item]) => item !== undefined));
}

interface AllReferences extends References {
  env: Environment;
}

function expandText(
  text: string,
  path: FieldPath,
  references: AllReferences,
  expansion: Expansion,
): string | undefined {
  const names: string[] = [];
  let complete = true;
  const refuse = (problem: { wrong: string; remedy: string }): string => {
    expansion.refused.push({ path, ...problem });
    complete = false;
    return '';
  };
  const expanded = text.replaceAll(REFERENCE, (reference: string, body?: string, close?: string) => {
    if (reference === '$${') return '${';
    const file = close === undefined ? undefined : FILE.exec(body ?? '')?.groups?.['file'];
    if (file !== undefined) {
      const read = readReference(path, file, references);
      return 'text' in read ? read.text : refuse(read);
    }
    const groups = close === undefined ? undefined : BODY.exec(body ?? '')?.groups;
    if (groups?.['name'] === undefined) {
      expansion.malformed.push(path);
      return reference;
    }
    names.push(groups['name']);
    const problem = references.refuseVariable?.(path, groups['name']);
    if (problem) return refuse(problem);
    const value = readVariable(references.env, groups['name']) ?? groups['fallback'];
    if (value !== undefined) return value;
    expansion.unset.push({ path, variable: groups['name'] });
    complete = false;
    return '';
  });
  if (names.length > 0) expansion.variables.set(pathKey(path), names);
  return complete ? expanded : undefined;
}

function readReference(path: FieldPath, name: string, { files }: References) {
  if (!mayReferToFile(path)) {
    return { wrong: 'cannot refer to a file, because it is no credential', remedy: 'write the value' };
  }
  return files?.get(name) ?? { wrong: 'refers to a file that was not read', remedy: 'write `${file:PATH}`' };
}

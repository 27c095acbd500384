import type { Config } from '../schema/schema.ts';
import { isSecretField } from './secret-field.ts';
import { secretsOf } from './secrets-of.ts';
import { showUrl } from './show-url.ts';

/** A value of the configuration without its secrets. */
export type ShownValue = string | number | boolean | null | ShownValue[] | { [field: string]: ShownValue };

/** A field that differs between two configurations. A value that only one of them has is undefined in the other. */
export interface ConfigChange {
  /** E.g. `models[gpt-5].price.input`. Entries of lists are named by their `id`, `name`, or index. */
  path: string;
  before: ShownValue | undefined;
  after: ShownValue | undefined;
}

const SECRET = '(secret)';
const OTHER_SECRET = '(another secret)';
/** Shorter texts occur in other values by chance. */
const MIN_SECRET_LENGTH = 8;

/** Returns the configuration as Sluice understood it. Secrets are replaced, and URLs have no passwords. */
export function redactConfig(config: Config): { [field: string]: ShownValue } {
  // The cast is safe because a configuration is an object.
  return redactorOf(config)(config, []) as { [field: string]: ShownValue };
}

/** Lists the fields that differ, in the order of the fields. A changed secret is listed without its values. */
export function configChanges(before: Config, after: Config): ConfigChange[] {
  const changes: ConfigChange[] = [];
  const [showBefore, showAfter] = [redactorOf(before), redactorOf(after)];
  const compare = (one: unknown, other: unknown, path: readonly string[]): void => {
    if (JSON.stringify(one) === JSON.stringify(other)) return;
    const [left, right] = [childrenOf(one), childrenOf(other)];
    if (left && right) {
      for (const name of new Set([...left.keys(), ...right.keys()])) {
        compare(left.get(name), right.get(name), [...path, name]);
      }
      const isReordered = isSameSet(left, right) && [...left.keys()].join('\n') !== [...right.keys()].join('\n');
      if (!Array.isArray(one) || !isReordered) return;
    }
    const [shownBefore, shownAfter] = [showBefore(one, path), showAfter(other, path)];
    const isHidden = JSON.stringify(shownBefore) === JSON.stringify(shownAfter);
    changes.push({ path: pathText(path), before: shownBefore, after: isHidden ? OTHER_SECRET : shownAfter });
  };
  compare(before, after, []);
  return changes;
}

type Show = (value: unknown, path: readonly string[]) => ShownValue;

function redactorOf(config: Config): Show {
  const secrets = secretsOf(config).filter(({ length }) => length >= MIN_SECRET_LENGTH);
  const show: Show = (value, path) => {
    if (Array.isArray(value)) return value.map((one: unknown, at) => show(one, [...path, String(at)]));
    if (typeof value === 'object' && value !== null) {
      const present = Object.entries(value).filter(([, one]) => one !== undefined);
      return Object.fromEntries(present.map(([name, one]) => [name, show(one, [...path, name])]));
    }
    if (typeof value !== 'string') return typeof value === 'number' || typeof value === 'boolean' ? value : null;
    if (isSecretField(path)) return SECRET;
    const shown = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? showUrl(value) : value;
    return secrets.some((secret) => shown.includes(secret)) ? SECRET : shown;
  };
  return (value, path) => (value === undefined ? undefined : show(value, path)) as ShownValue; // The cast is for values that are absent, which callers handle.
}

/** The fields of an object, or the named entries of a list. Undefined for other values, which are compared as a whole. */
function childrenOf(value: unknown): Map<string, unknown> | undefined {
  if (Array.isArray(value)) {
    const named = value.map((one: unknown, at): [string, unknown] => [`[${nameOf(one) ?? at}]`, one]);
    const isList = value.every((one: unknown) => typeof one === 'object' && one !== null);
    return isList ? new Map(named) : undefined;
  }
  return typeof value === 'object' && value !== null ? new Map(Object.entries(value)) : undefined;
}

function nameOf(entry: unknown): string | undefined {
  const named = entry as { id?: unknown; name?: unknown } | null; // The cast is safe because both fields are checked.
  const name = named?.id ?? named?.name;
  return typeof name === 'string' ? name : undefined;
}

function isSameSet(one: ReadonlyMap<string, unknown>, other: ReadonlyMap<string, unknown>): boolean {
  return one.size === other.size && [...one.keys()].every((name) => other.has(name));
}

function pathText(path: readonly string[]): string {
  return path.join('.').replaceAll('.[', '[');
}

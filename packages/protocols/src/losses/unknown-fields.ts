import type { LossReport } from '@sluice/canonical';
import { isRecord } from '../json/is-record.ts';
import type { JsonObject } from '../json/values.ts';

/**
 * The fields of an object that a decoder reads, or of each object in an array. `null` accepts any value. A function
 * selects by content and returns undefined for a value that the decoder ignores.
 */
export type KnownFields =
  | null
  | { readonly [field: string]: KnownFields }
  | ((value: JsonObject) => KnownFields | undefined);

/** Lists fields whose values are read completely, separated by whitespace. */
export function plainFields(names: string): Readonly<Record<string, null>> {
  return Object.fromEntries(names.split(/\s+/).map((name) => [name, null]));
}

/** Treats all fields of an object as known, because its decoder reports the others itself. */
export function ownFields(value: JsonObject): Readonly<Record<string, null>> {
  return Object.fromEntries(Object.keys(value).map((name) => [name, null]));
}

/** The nesting depth from which a value is reported as dropped, because deep recursion overflows the stack. */
const MAX_DEPTH = 100;

/**
 * Reports each field that the decoder does not read, once, by its path (e.g. `tools[].input_examples`). Null, an empty
 * string, and an empty array are treated as omitted. An empty object can enable a feature.
 * @param isOmitted overrides which values are treated as omitted
 */
export function reportUnknownFields(
  body: JsonObject,
  known: KnownFields,
  report: LossReport,
  isOmitted: (value: unknown) => boolean = isEmpty,
): void {
  const reported = new Set<string>();
  function drop(field: string): void {
    if (reported.has(field)) return;
    reported.add(field);
    report({ field, how: 'dropped' });
  }
  function visit(value: unknown, fields: KnownFields, path: string, depth: number): void {
    if (fields === null) return;
    if (depth > MAX_DEPTH) return drop(path);
    if (Array.isArray(value)) {
      const items = path.endsWith('[]') ? path : `${path}[]`;
      for (const item of value) visit(item, fields, items, depth + 1);
      return;
    }
    if (!isRecord(value)) return;
    const selected = typeof fields === 'function' ? fields(value) : fields;
    if (selected === undefined) drop(path);
    else if (typeof selected === 'function') visit(value, selected, path, depth + 1);
    else if (selected !== null) visitMembers(value, selected, path, depth);
  }
  function visitMembers(
    value: JsonObject,
    fields: Readonly<Record<string, KnownFields>>,
    path: string,
    depth: number,
  ): void {
    for (const name of Object.keys(value)) {
      const isKnown = Object.hasOwn(fields, name);
      const inner = isKnown ? fields[name] : undefined;
      const member = value[name];
      // Most members are read completely or are texts, and need no path.
      if (isKnown && (inner === null || typeof member !== 'object')) continue;
      const field = path === '' ? name : `${path}.${name}`;
      if (isKnown) visit(member, inner ?? null, field, depth + 1);
      else if (!isOmitted(member)) drop(field);
    }
  }
  visit(body, known, '', 0);
}

export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  return Array.isArray(value) && value.length === 0;
}

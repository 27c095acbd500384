import fc from 'fast-check';
import { isRecord } from '../../src/json/is-record.ts';

/**
 * A JSON value with variable parts. A key that ends with `?` is optional. The fields under `...` belong to the object
 * around them. An array holds one or two elements, each like
 * one of the listed templates.
 */
export type Template =
  | string
  | number
  | boolean
  | null
  | Choice
  | Sequence
  | readonly Template[]
  | { readonly [key: string]: Template };

class Choice {
  readonly templates: readonly Template[];

  constructor(templates: readonly Template[]) {
    this.templates = templates;
  }
}

class Sequence {
  readonly templates: readonly Template[];

  constructor(templates: readonly Template[]) {
    this.templates = templates;
  }
}

/** Consecutive elements of the array around it, e.g. a call and its result. */
export function inSequence(...templates: readonly Template[]): Template {
  return new Sequence(templates);
}

/** A value like one of the templates. */
export function oneOf(...templates: readonly Template[]): Template {
  return new Choice(templates);
}

/** Placeholders that {@link fillIn} replaces with a value that occurs nowhere else. */
export const TEXT = '<text>';
export const PNG = '<png>';
export const PDF = '<pdf>';
export const PLAIN = '<plain>';
/** The id of a call. Every second one repeats the one before, because it belongs to the call's result. */
export const CALL_ID = '<call>';

/** Generates values that match a template. The placeholders remain. */
export function arbitraryOf(template: Template): fc.Arbitrary<unknown> {
  if (template instanceof Choice) return fc.oneof(...template.templates.map(arbitraryOf));
  if (template instanceof Sequence) return fc.tuple(...template.templates.map(arbitraryOf));
  if (isList(template)) {
    return fc.array(fc.oneof(...template.map(arbitraryOf)), { minLength: 1, maxLength: 2 }).map((list) => list.flat());
  }
  if (typeof template !== 'object' || template === null) return fc.constant(template);
  const members = Object.entries(template).map(([key, inner]): fc.Arbitrary<[string, unknown][]> => {
    const name = key.replace(/\?$/, '');
    const present = arbitraryOf(inner).map(
      (value): [string, unknown][] => (name.trim() === '...' ? Object.entries(value as object) : [[name, value]]), // a template's object
    );
    const absent = fc.constant<[string, unknown][]>([]);
    return name === key ? present : fc.oneof({ weight: 2, arbitrary: absent }, { weight: 1, arbitrary: present });
  });
  return fc.tuple(...members).map((entries) => Object.fromEntries(entries.flat()));
}

function isList(template: Template): template is readonly Template[] {
  return Array.isArray(template);
}

/** Parts of one vendor, whose loss has the name of their only field. */
const FOREIGN_PARTS = ['executableCode', 'hologram'];

/** Adds an unknown field to one of the objects inside a value. */
export function addUnknownField(value: unknown, choice: number): unknown {
  const copy = structuredClone(value);
  const objects = objectsIn(copy).filter((object) => !FOREIGN_PARTS.some((key) => key in object));
  const object = objects[choice % objects.length];
  if (object) object['unknown_field'] = TEXT;
  return copy;
}

function objectsIn(value: unknown): Record<string, unknown>[] {
  if (Array.isArray(value)) return value.flatMap(objectsIn);
  if (!isRecord(value)) return [];
  // A schema's properties are schemas themselves.
  const inner = Object.entries(value).flatMap(([key, member]) => objectsIn(member).slice(key === 'properties' ? 1 : 0));
  return [value, ...inner];
}

/** Replaces each placeholder with its own value, also inside longer strings. */
export function fillIn(value: unknown): unknown {
  let last = 0;
  let openCall: string | undefined;
  function valueOf(kind: string): string {
    if (kind === 'call') {
      const id = openCall ?? `call_${++last}`;
      openCall = openCall === undefined ? id : undefined;
      return id;
    }
    const word = `v${String(++last).padStart(4, '0')}w`;
    switch (kind) {
      case 'png':
        return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from(word)]).toString('base64');
      case 'pdf':
        return Buffer.from(`%PDF-${word}`).toString('base64');
      case 'plain':
        return Buffer.from(`Plain ${word}`).toString('base64');
      default:
        return word;
    }
  }
  function fill(inner: unknown): unknown {
    if (typeof inner === 'string') {
      return inner.replaceAll(/<(text|png|pdf|plain|call)>/g, (_, kind: string) => valueOf(kind));
    }
    if (Array.isArray(inner)) return inner.map(fill);
    if (typeof inner !== 'object' || inner === null) return inner;
    return Object.fromEntries(Object.entries(inner).map(([key, member]) => [key, fill(member)]));
  }
  return fill(value);
}

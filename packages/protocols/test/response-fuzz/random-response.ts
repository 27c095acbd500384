import { RESPONSE_TEMPLATES } from './response-templates.ts';

type Body = Record<string, unknown>;

/** Returns numbers from 0 to 1 that depend only on the seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Creates a response with a random part of the template's fields, unknown fields in between, and unique values. */
export function randomUpstreamResponse(protocol: string, random: () => number): Body {
  let count = 0;
  const text = () => `mk${String(++count).padStart(6, '0')}`;

  function fill(template: unknown): unknown {
    if (typeof template === 'string') return template === '#' ? 9_000_000 + ++count : template.replace('@', text);
    if (Array.isArray(template)) {
      const kept = template.filter(() => random() < 0.6);
      return (kept.length > 0 ? kept : template.slice(0, 1)).map(fill);
    }
    if (typeof template !== 'object' || template === null) return template;
    const body: Body = {};
    for (const [name, value] of Object.entries(template)) {
      if (name.startsWith('!')) body[name.slice(1)] = fill(value);
      else if (random() < 0.5) body[name] = fill(value);
    }
    if (random() < 0.1) body[`new_field_${++count}`] = random() < 0.5 ? text() : { nested: text() };
    return body;
  }

  return fill(RESPONSE_TEMPLATES[protocol]) as Body; // every template is an object
}

/** Creates a response with all fields of the template. */
export function completeUpstreamResponse(protocol: string): Body {
  return randomUpstreamResponse(protocol, () => 0.2);
}

export interface Leaf {
  value: string;
  /** The value's path, with blocks of the vendor's own tools named by their type. */
  name: string;
  /** The value's path. An element of a list can be named by `[]` or by its type. */
  paths: string[];
}

/** Blocks that no other protocol has. */
const FOREIGN = /_call$|_tool_|executableCode|codeExecutionResult|hologram|unknown|^file$/i;

/** Lists the unique values of a response. */
export function uniqueLeaves(value: unknown, name = 'response', paths: readonly string[] = [name]): Leaf[] {
  if (typeof value === 'string' || typeof value === 'number') {
    const marker = /mk\d{6}|9\d{6}/.exec(String(value))?.[0];
    return marker === undefined ? [] : [{ value: marker, name, paths: [...paths] }];
  }
  if (Array.isArray(value)) {
    return value.flatMap((item: unknown) => {
      const kinds = kindsOf(item);
      const inList = paths.flatMap((path) => ['', ...kinds].map((kind) => `${path}[${kind}]`));
      return uniqueLeaves(item, `${name}[${kinds.find((kind) => FOREIGN.test(kind)) ?? ''}]`, inList);
    });
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    uniqueLeaves(
      inner,
      `${name}.${key}`,
      paths.map((path) => `${path}.${key}`),
    ),
  );
}

/** Blocks are named by their type. Gemini's parts have no type; a part's field names its kind. */
function kindsOf(item: unknown): string[] {
  if (typeof item !== 'object' || item === null) return [];
  if ('type' in item && typeof item.type === 'string') return [item.type];
  return 'inlineData' in item ? ['image'] : Object.keys(item);
}

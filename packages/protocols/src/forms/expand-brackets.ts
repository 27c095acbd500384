import { GatewayError } from '@sluice/canonical';
import { isRecord } from '../json/is-record.ts';

export type FormField = readonly [name: string, value: unknown];

const MAX_DEPTH = 5;

/**
 * Expands bracketed field names: `a[b]=1` is `{a: {b: '1'}}`, `k[]=1&k[]=2` is `{k: ['1', '2']}`. OpenAI's SDKs flatten
 * nested values like this (openai-node, `uploads`). Objects have no prototype.
 * @throws GatewayError `invalid_request` for repeated or contradicting names
 */
export function expandBrackets(fields: Iterable<FormField>): Record<string, unknown> {
  const root = emptyRecord();
  for (const [name, value] of fields) insert(root, name, value);
  return root;
}

function insert(root: Record<string, unknown>, name: string, value: unknown): void {
  const [first, ...rest] = splitName(name);
  let at = root;
  let step = first;
  for (const next of rest) {
    if (next === '') {
      const list = (at[step] ??= []);
      if (!Array.isArray(list)) throw repeatedName(name);
      list.push(value);
      return;
    }
    const inner = (at[step] ??= emptyRecord());
    if (!isRecord(inner)) throw repeatedName(name);
    at = inner;
    step = next;
  }
  if (at[step] !== undefined) throw repeatedName(name);
  at[step] = value;
}

/** `a[b][]` → `a`, `b`, empty. Names with invalid brackets stay as they are. */
function splitName(name: string): [string, ...string[]] {
  const [, first, brackets] = /^([^[\]]+)((?:\[[^[\]]*\])+)$/.exec(name) ?? [];
  if (first === undefined || brackets === undefined) return [name];
  const inner = [...brackets.matchAll(/\[([^[\]]*)\]/g)].map((match) => match[1] ?? '');
  // An empty name is a list of plain values, so it must be last.
  if (inner.length > MAX_DEPTH || inner.slice(0, -1).includes('')) return [name];
  return [first, ...inner];
}

function repeatedName(name: string): GatewayError {
  return new GatewayError('invalid_request', `${name} appears twice. Send it once.`, { param: name });
}

function emptyRecord(): Record<string, unknown> {
  // eslint-disable-next-line typescript/no-unsafe-type-assertion -- Object.create has no better type
  return Object.create(null) as Record<string, unknown>; // no prototype: `__proto__` is a name like any other
}

import { GatewayError } from '@sluice/canonical';
import { isRecord } from '../json/is-record.ts';

export type FormField = readonly [name: string, value: unknown];

const MAX_DEPTH = 5;

/**
 * Expands bracketed field names: `a[b]=1` becomes `{a: {b: '1'}}`, and `k[]=1&k[]=2` becomes `{k: ['1', '2']}`.
 * OpenAI's SDKs flatten nested values this way (openai-node, `uploads`). The objects have no prototype.
 * @throws GatewayError `invalid_request` for duplicate or conflicting names
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

/** Splits `a[b][]` into `a`, `b`, and an empty name. Names with invalid brackets are not split. */
function splitName(name: string): [string, ...string[]] {
  const [, first, brackets] = /^([^[\]]+)((?:\[[^[\]]*\])+)$/.exec(name) ?? [];
  if (first === undefined || brackets === undefined) return [name];
  const inner = [...brackets.matchAll(/\[([^[\]]*)\]/g)].map((match) => match[1] ?? '');
  // An empty name marks a list of plain values, so it must be last.
  if (inner.length > MAX_DEPTH || inner.slice(0, -1).includes('')) return [name];
  return [first, ...inner];
}

function repeatedName(name: string): GatewayError {
  return new GatewayError('invalid_request', `\`${name}\` appears twice. Send it once.`, { param: name });
}

function emptyRecord(): Record<string, unknown> {
  // eslint-disable-next-line typescript/no-unsafe-type-assertion -- Object.create has no better type
  return Object.create(null) as Record<string, unknown>; // without a prototype, `__proto__` is an ordinary name
}

import { GatewayError } from '@sluice/canonical';
import { createTarget, openExchange, sentText } from '../text-exchange.ts';
import type { Ends } from './ends.ts';
import { aliasesOf, isExempt, kindAliases } from './exempt-fields.ts';

type Body = Record<string, unknown>;
type Path = readonly (string | number)[];

export interface FieldReport {
  /** Number of fields in the request. */
  tried: number;
  isRefused: boolean;
  /** Fields that are neither visible upstream, nor reported as a loss, nor refused. */
  silent: string[];
}

interface Sent {
  text: string;
  losses: string[];
}

/** Translates a request and looks for each of its fields in the result. */
export function findSilentFields(ends: Ends, body: Body): FieldReport {
  const fields = leavesOf(body, []);
  const sent = translate(ends, body);
  if (!sent) return { tried: fields.length, isRefused: true, silent: [] };
  const silent = fields.filter(({ path, value }) => {
    const names = namesOf(path);
    if (isExempt(ends, nameOf(path), value, body) || isVisible(value, sent.text)) return false;
    const kinds = kindsOf(body, path);
    if (sent.losses.some((loss) => isNamed([...names, ...kinds], kinds, loss))) return false;
    // Constants such as `true` occur everywhere, so a field counts as used if the result depends on it.
    return isMarker(value) || !dependsOn(ends, body, path, sent);
  });
  return { tried: fields.length, isRefused: false, silent: silent.map(({ path }) => nameOf(path)) };
}

function translate({ client, upstream, target }: Ends, body: Body): Sent | undefined {
  try {
    const exchange = openExchange({
      client,
      upstream,
      target: createTarget(upstream.name, target),
      body,
      stream: false,
    });
    return { text: readable(sentText(exchange)), losses: exchange.losses.map(({ field }) => field) };
  } catch (error) {
    if (error instanceof GatewayError && error.status === 400) return undefined;
    throw error;
  }
}

function dependsOn(ends: Ends, body: Body, path: Path, sent: Sent): boolean {
  const without = translate(ends, removeAt(body, path) as Body); // the body is an object
  return without?.text !== sent.text || without.losses.join() !== sent.losses.join();
}

function isMarker(value: unknown): boolean {
  if (typeof value === 'number') return value > 1_000;
  return typeof value === 'string' && (/v\d{4}w|^call_\d+$/.test(value) || decoded(value) !== undefined);
}

function isVisible(value: unknown, text: string): boolean {
  if (typeof value === 'string') {
    const words = /v\d{4}w|^call_\d+$/.exec(value) ?? [value];
    return isMarker(value) && [...words, decoded(value)].some((word) => word !== undefined && text.includes(word));
  }
  return typeof value === 'number' && value >= 0.1 && new RegExp(`[:,\\[]${value}\\b`).test(text);
}

/** Appends the contents of the base64 in a body. */
function readable(text: string): string {
  const inner = text.match(/[A-Za-z0-9+/]{8,}={0,2}/g) ?? [];
  return [text, ...inner.map((data) => Buffer.from(data, 'base64').toString('latin1'))].join('\n');
}

/** Returns the word inside base64. */
function decoded(value: string): string | undefined {
  const data = value.split(',').at(-1) ?? '';
  return /v\d{4}w/.exec(Buffer.from(data, 'base64').toString('latin1'))?.[0];
}

/**
 * Whether a loss names a field, something around it, or one of the types around it.
 * @param kinds the types, which can also be in brackets (e.g. `tools[web_search]`)
 */
function isNamed(names: readonly string[], kinds: readonly string[], loss: string): boolean {
  if (kinds.some((kind) => loss.endsWith(`[${kind}]`)) || names.some((name) => loss.startsWith(`${name}[`)))
    return true;
  const sought = loss.replaceAll(/\[([^\]]*)\]/g, (_, name: string) =>
    /^\d*$/.test(name) || kinds.includes(name) ? '' : `.${name}`,
  );
  return names.some((name) => `.${name}.`.includes(`.${sought}.`));
}

/** The types of the objects around a field. */
function kindsOf(body: Body, path: Path): string[] {
  const kinds: string[] = [];
  let value: unknown = body;
  for (const key of path) {
    const object = value as Record<string | number, unknown>; // the path leads through objects and arrays
    if (typeof object['type'] === 'string') kinds.push(object['type'], ...kindAliases(object['type']));
    if (object['thought'] === true) kinds.push('reasoning');
    value = object[key];
  }
  return kinds;
}

/** The field's name, and the names by which losses report it. */
function namesOf(path: Path): string[] {
  const name = nameOf(path);
  return [name, ...aliasesOf(name)];
}

/** For example, `messages.content.text` for the path `messages[0].content[1].text`. */
function nameOf(path: Path): string {
  return path.filter((key) => typeof key === 'string').join('.');
}

function leavesOf(value: unknown, path: Path): { path: Path; value: unknown }[] {
  if (Array.isArray(value)) return value.flatMap((item: unknown, index) => leavesOf(item, [...path, index]));
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, [...path, key]));
  }
  return value === null ? [] : [{ path, value }];
}

function removeAt(value: unknown, [first, ...rest]: Path): unknown {
  if (first === undefined) return undefined;
  if (Array.isArray(value)) {
    return value.flatMap((item: unknown, index) =>
      index !== first ? [item] : rest.length === 0 ? [] : [removeAt(item, rest)],
    );
  }
  return Object.fromEntries(
    Object.entries(value as object).flatMap(([key, inner]): [string, unknown][] =>
      key !== first ? [[key, inner]] : rest.length === 0 ? [] : [[key, removeAt(inner, rest)]],
    ),
  );
}

import { stringify } from 'yaml';

export interface ConfigLine {
  /** E.g. `models[gpt-5].price.input`, as in the list of changes. */
  path: string;
  value: string;
}

const MAX_LINE = 100;

/** Values that Sluice derives. They are above, and on the screens of upstreams and models. */
const DERIVED: ReadonlySet<string> = new Set(['file', 'dataDir', 'contentDir', 'disabledUpstreams', 'disabledModels']);

/** Returns the fields that a file can have. The folder of files is the one in use, also if the file names none. */
export function settingsOf(running: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { content, contentDir } = running;
  const settings = Object.fromEntries(Object.entries(running).filter(([name]) => !DERIVED.has(name)));
  return isObject(content) ? { ...settings, content: { ...content, dir: contentDir } } : settings;
}

/** Returns the fields of a configuration below each other. Entries of lists are named by their `id`, `name`, or index. */
export function linesOf(value: unknown, path = ''): ConfigLine[] {
  if (Array.isArray(value) && value.some(isObject)) {
    return value.flatMap((one: unknown, at) => linesOf(one, `${path}[${nameOf(one) ?? at}]`));
  }
  if (isObject(value) && !Array.isArray(value) && Object.keys(value).length > 0) {
    return Object.entries(value).flatMap(([name, one]) => linesOf(one, path === '' ? name : `${path}.${name}`));
  }
  return [{ path, value: shownValue(value) }];
}

/** Formats a value as in a YAML file. */
export function yamlOf(value: unknown): string {
  return stringify(value, { lineWidth: MAX_LINE }).trimEnd();
}

/** Formats a value of the list of changes. */
export function shownValue(value: unknown): string {
  if (typeof value === 'string') return value;
  return isObject(value) && !Array.isArray(value) && Object.keys(value).length > 0
    ? yamlOf(value)
    : JSON.stringify(value);
}

/** Returns the `id` or `name` of an entry of a list. */
export function nameOf(entry: unknown): string | undefined {
  if (!isObject(entry)) return undefined;
  const { id, name } = entry;
  return typeof id === 'string' ? id : typeof name === 'string' ? name : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

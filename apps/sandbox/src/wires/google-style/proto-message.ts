import { isObject } from '../../schema/json.ts';
import { invalidArgument, unknownName } from './google-error.ts';

/** JSON type of a protobuf field. `int` also accepts strings, because protobuf encodes 64-bit integers as strings. */
export type ProtoType =
  | 'string'
  | 'float'
  | 'int'
  | 'bool'
  | 'bytes'
  | 'any'
  | 'struct'
  | { values: readonly string[]; name: string }
  | { message: () => ProtoMessage }
  | { map: () => ProtoMessage }
  | { list: ProtoType };

export type ProtoMessage = Readonly<Record<string, ProtoType>>;

const NAMES = { string: 'TYPE_STRING', float: 'TYPE_FLOAT', int: 'TYPE_INT32', bool: 'TYPE_BOOL', bytes: 'TYPE_BYTES' };

function snake(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function camel(name: string): string {
  return name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

function isBase64(text: string): boolean {
  return /^[A-Za-z0-9+/_-]*={0,2}$/.test(text) && text.replace(/=+$/, '').length % 4 !== 1;
}

const CHECKS: Record<keyof typeof NAMES, (value: unknown) => boolean> = {
  string: (value) => typeof value === 'string',
  float: (value) => typeof value === 'number',
  int: (value) => Number.isInteger(value) || (typeof value === 'string' && /^-?\d+$/.test(value)),
  bool: (value) => typeof value === 'boolean',
  bytes: (value) => typeof value === 'string' && isBase64(value),
};

function invalidValue(path: string, type: string, value: unknown): Error {
  return invalidArgument(`Invalid value at '${path}' (${type}), ${JSON.stringify(value)}`, path);
}

function readValue(type: ProtoType, value: unknown, path: string): unknown {
  if (type === 'any') return value;
  if (type === 'struct') {
    if (isObject(value)) return value;
    throw invalidValue(path, 'type.googleapis.com/google.protobuf.Struct', value);
  }
  if (typeof type === 'string') {
    if (Array.isArray(value)) {
      const name = path.split('.').at(-1);
      const message = `Unknown name "${name}" at '${path}': Proto field is not repeating, cannot start list.`;
      throw invalidArgument(`Invalid JSON payload received. ${message}`, path);
    }
    if (!CHECKS[type](value)) throw invalidValue(path, NAMES[type], value);
    return type === 'int' ? Number(value) : value;
  }
  if ('values' in type) {
    const name = typeof value === 'string' ? value.toUpperCase() : value;
    const known = type.values.find((other) => other.toUpperCase() === name);
    if (known !== undefined) return known;
    throw invalidValue(path, `type.googleapis.com/google.ai.generativelanguage.v1beta.${type.name}`, value);
  }
  if ('list' in type) {
    // The vendor's parser accepts a single value as a list with one item.
    const items = Array.isArray(value) ? value : [value];
    return items.map((item, at) => readValue(type.list, item, `${path}[${at}]`));
  }
  if (!isObject(value)) throw invalidValue(path, 'message', value);
  if ('message' in type) return readMessage(type.message(), value, path);
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const at = `${path}[${key}]`;
      if (!isObject(item)) throw invalidValue(at, 'message', item);
      return [key, readMessage(type.map(), item, at)];
    }),
  );
}

/**
 * Parses JSON as the vendor's protobuf parser does: names in camelCase or snake_case, null treated as omitted, and no
 * unknown fields.
 * @returns the fields in camelCase.
 * @throws WireError 400 with the path in snake_case.
 */
export function readMessage(message: ProtoMessage, value: Record<string, unknown>, path = ''): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    const name = Object.hasOwn(message, key) ? key : camel(key);
    const type = Object.hasOwn(message, name) ? message[name] : undefined;
    if (type === undefined) throw unknownName(key, path);
    if (item === null || item === undefined) continue;
    if (Object.hasOwn(result, name))
      throw invalidArgument(`Invalid value at '${path}' (oneof), duplicate field "${snake(name)}"`, path);
    result[name] = readValue(type, item, path === '' ? snake(name) : `${path}.${snake(name)}`);
  }
  return result;
}

export function readBody(message: ProtoMessage, body: unknown): Record<string, unknown> {
  if (isObject(body)) return readMessage(message, body);
  throw invalidArgument('Invalid JSON payload received. Expected an object.');
}

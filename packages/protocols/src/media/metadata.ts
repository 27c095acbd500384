import { isCallbackName } from '@sluice/canonical';
import { invalidField } from '../json/json-field.ts';
import { isRecord } from '../json/is-record.ts';

const MAX_CHARACTERS = 65_536;
const MAX_DEPTH = 32;
/** Limits for the names of dropped fields, which are sent in a header. */
const MAX_DROPPED = 16;
const MAX_NAME = 128;
/** Vendors' names for the model field. A model in metadata could bypass the key's allowed models. */
const MODEL_NAMES = new Set(['model', 'model_name', 'req_key']);

export interface VendorFields {
  fields: Readonly<Record<string, unknown>>;
  /** The field that contains the options, for errors. If omitted, the body itself contains them. */
  within?: string;
}

export interface CollectedMetadata {
  metadata?: Record<string, unknown>;
  /** See `DecodedMedia.dropped`. */
  dropped?: string[];
}

/**
 * Merges options for upstreams that support them. Later sources override earlier ones. Removes and reports fields that
 * select a model, and fields at any depth that cause a vendor to call a client's server.
 * @throws GatewayError `invalid_request` for options that are too deeply nested or too long
 */
export function collectMetadata(...sources: readonly VendorFields[]): CollectedMetadata {
  const options = sources.flatMap(({ fields, within }) =>
    Object.entries(fields).map(([name, value]) => ({ name, value, param: within ? `${within}[${name}]` : name })),
  );
  // Checked before any recursion, because a short body can contain 100,000 nested brackets. The check includes fields
  // that are removed below, because other code can traverse them.
  const deep = options.find(({ value }) => isDeeper(value, MAX_DEPTH));
  if (deep) throw invalidField(deep.param, `is nested too deeply. Use at most ${MAX_DEPTH} levels`);

  const dropped: string[] = [];
  const allowed = options.filter(({ name, param }) => {
    const isAllowed = !isReserved(name) && !isCallbackName(name);
    if (!isAllowed) addDropped(dropped, param);
    return isAllowed;
  });
  const collected = Object.fromEntries(
    allowed.map(({ name, value, param }) => [name, withoutCallbacks(value, param, dropped)]),
  );
  const size = JSON.stringify(collected).length;
  if (size > MAX_CHARACTERS) {
    const largest = allowed.toSorted((one, other) => jsonLength(other.value) - jsonLength(one.value))[0];
    throw invalidField(
      largest?.param ?? 'metadata',
      `makes the options for the upstream longer than ${MAX_CHARACTERS} characters as JSON. Send fewer options`,
    );
  }
  return { ...(allowed.length > 0 && { metadata: collected }), ...(dropped.length > 0 && { dropped }) };
}

function isReserved(name: string): boolean {
  return MODEL_NAMES.has(name.trim().toLowerCase());
}

function withoutCallbacks(value: unknown, param: string, dropped: string[]): unknown {
  if (Array.isArray(value)) return value.map((item, index) => withoutCallbacks(item, memberOf(param, index), dropped));
  if (!isRecord(value)) return value;
  const allowed = Object.entries(value).filter(([name]) => {
    if (!isCallbackName(name)) return true;
    addDropped(dropped, memberOf(param, name));
    return false;
  });
  return Object.fromEntries(
    allowed.map(([name, inner]) => [name, withoutCallbacks(inner, memberOf(param, name), dropped)]),
  );
}

/** Shortens the path, because an object with a long name can have many members. */
function memberOf(param: string, step: string | number): string {
  return `${param.slice(0, MAX_NAME)}[${step}]`.slice(0, MAX_NAME);
}

function addDropped(dropped: string[], param: string): void {
  if (dropped.length === MAX_DROPPED) return;
  const name = headerSafe(param);
  if (!dropped.includes(name)) dropped.push(name);
}

function headerSafe(param: string): string {
  return param.slice(0, MAX_NAME).replaceAll(/[^\x20-\x7e]/g, '?');
}

function jsonLength(value: unknown): number {
  // Undefined for values that JSON cannot represent.
  const text: string | undefined = JSON.stringify(value);
  return text?.length ?? 0;
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

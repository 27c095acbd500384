import { isCallbackName } from '@sluice/canonical';
import { invalidField } from '../forms/form-fields.ts';
import { isRecord } from '../json/is-record.ts';

const MAX_CHARACTERS = 65_536;
const MAX_DEPTH = 32;
/** Maximum number of dropped names, and of characters of each: they are sent in a header. */
const MAX_DROPPED = 16;
const MAX_NAME = 128;
/** A model in metadata could bypass the key's allow-list; vendors use these names. */
const MODEL_NAMES = new Set(['model', 'model_name', 'req_key']);

/** Fields without a canonical name. */
export interface VendorFields {
  fields: Readonly<Record<string, unknown>>;
  /** The field that contains them, for errors; absent: the top level of the body. */
  within?: string;
}

export interface CollectedMetadata {
  /** Absent: there are none. */
  metadata?: Record<string, unknown>;
  /** The removed fields, see `DecodedMedia.dropped`; absent: none. */
  dropped?: string[];
}

/**
 * Collects options for upstreams that know them; later sources win. Removes fields that choose a model and, at any
 * depth,
 * fields that make a vendor call a client's server, and reports both.
 * @throws GatewayError `invalid_request` for options that are nested too deeply or too long
 */
export function collectMetadata(...sources: readonly VendorFields[]): CollectedMetadata {
  const named = sources.flatMap(({ fields, within }) =>
    Object.entries(fields).map(([name, value]) => ({ name, value, param: within ? `${within}[${name}]` : name })),
  );
  // Checked before anything recurses: 100,000 brackets are a short body and a deep recursion. Removed fields count as
  // well,
  // because other code may walk the whole body.
  const deep = named.find(({ value }) => isDeeper(value, MAX_DEPTH));
  if (deep) throw invalidField(deep.param, `must be nested at most ${MAX_DEPTH} levels deep`);

  const dropped: string[] = [];
  const kept = named.filter(({ name, param }) => {
    const isKept = !isReserved(name) && !isCallbackName(name);
    if (!isKept) note(dropped, param);
    return isKept;
  });
  const collected = Object.fromEntries(
    kept.map(({ name, value, param }) => [name, withoutCallbacks(value, param, dropped)]),
  );
  const size = JSON.stringify(collected).length;
  if (size > MAX_CHARACTERS) {
    const largest = kept.toSorted((one, other) => jsonLength(other.value) - jsonLength(one.value))[0];
    throw invalidField(
      largest?.param ?? 'metadata',
      `makes the options for the upstream longer than ${MAX_CHARACTERS} characters as JSON`,
    );
  }
  return { ...(kept.length > 0 && { metadata: collected }), ...(dropped.length > 0 && { dropped }) };
}

function isReserved(name: string): boolean {
  return MODEL_NAMES.has(name.trim().toLowerCase());
}

function withoutCallbacks(value: unknown, param: string, dropped: string[]): unknown {
  if (Array.isArray(value)) return value.map((item, index) => withoutCallbacks(item, inside(param, index), dropped));
  if (!isRecord(value)) return value;
  const kept = Object.entries(value).filter(([name]) => {
    if (!isCallbackName(name)) return true;
    note(dropped, inside(param, name));
    return false;
  });
  return Object.fromEntries(kept.map(([name, inner]) => [name, withoutCallbacks(inner, inside(param, name), dropped)]));
}

/** The name of a member, shortened: a long name may have many members. */
function inside(param: string, step: string | number): string {
  return `${param.slice(0, MAX_NAME)}[${step}]`.slice(0, MAX_NAME);
}

function note(dropped: string[], param: string): void {
  if (dropped.length === MAX_DROPPED) return;
  const name = spelled(param);
  if (!dropped.includes(name)) dropped.push(name);
}

/** A client's field name, made safe for a header. */
function spelled(param: string): string {
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

import { isCallbackName } from '@sluice/canonical';
import { invalidField } from '../forms/form-fields.ts';
import { isRecord } from '../json/is-record.ts';

const MAX_CHARACTERS = 65_536;
const MAX_DEPTH = 32;
/** Names that are told of what was left out, and characters of each: they stand in a header. */
const MAX_DROPPED = 16;
const MAX_NAME = 128;
/** A model in metadata would be another way to choose one, past the key's allow-list; vendors name it in these ways. */
const MODEL_NAMES = new Set(['model', 'model_name', 'req_key']);

/** Fields that a protocol has no canonical name for. */
export interface VendorFields {
  fields: Readonly<Record<string, unknown>>;
  /** The field that they are members of, for errors; absent: they stand at the top of the body. */
  within?: string;
}

/** What became of vendor options. */
export interface CollectedMetadata {
  /** Absent: there are none. */
  metadata?: Record<string, unknown>;
  /** What was left out, see `DecodedMedia.dropped`; absent: nothing. */
  dropped?: string[];
}

/**
 * Collects what is passed through to upstreams that know it, later sources winning. What chooses a model is left out,
 * and, however deep it lies, what makes a vendor call a client's server; both are named.
 * @throws GatewayError `invalid_request` when it is nested too deeply, or too much
 */
export function collectMetadata(...sources: readonly VendorFields[]): CollectedMetadata {
  const named = sources.flatMap(({ fields, within }) =>
    Object.entries(fields).map(([name, value]) => ({ name, value, param: within ? `${within}[${name}]` : name })),
  );
  // Looked at before anything walks it to the bottom: 100,000 brackets are a short body and a long recursion. What is
  // left out counts as well: the whole body may be walked elsewhere.
  const deep = named.find(({ value }) => isDeeper(value, MAX_DEPTH));
  if (deep) throw invalidField(deep.param, `may be nested at most ${MAX_DEPTH} deep`);

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

/** The name of a member, cut: a long name may have many members. */
function inside(param: string, step: string | number): string {
  return `${param.slice(0, MAX_NAME)}[${step}]`.slice(0, MAX_NAME);
}

function note(dropped: string[], param: string): void {
  if (dropped.length === MAX_DROPPED) return;
  const name = spelled(param);
  if (!dropped.includes(name)) dropped.push(name);
}

/** A client's own name as a header can hold it. */
function spelled(param: string): string {
  return param.slice(0, MAX_NAME).replaceAll(/[^\x20-\x7e]/g, '?');
}

function jsonLength(value: unknown): number {
  // What JSON cannot hold has no text at all.
  const text: string | undefined = JSON.stringify(value);
  return text?.length ?? 0;
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

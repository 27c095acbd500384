import { isCallbackName } from '@sluice/canonical';
import { invalidField } from './form-fields.ts';
import { isRecord } from './is-record.ts';

const MAX_CHARACTERS = 65_536;
const MAX_DEPTH = 32;
/** A model in metadata would be another way to choose one, past the key's allow-list; vendors name it in these ways. */
const MODEL_NAMES = new Set(['model', 'model_name', 'req_key']);

/** Fields that a protocol has no canonical name for. */
export interface VendorFields {
  fields: Readonly<Record<string, unknown>>;
  /** The field that they are members of, for errors; absent: they stand at the top of the body. */
  within?: string;
}

/**
 * Collects what is passed through to upstreams that know it, later sources winning. What chooses a model is left out,
 * and, however deep it lies, what makes a vendor call a client's server.
 * @returns undefined when nothing is left
 * @throws GatewayError `invalid_request` when it is nested too deeply, or too much
 */
export function collectMetadata(...sources: readonly VendorFields[]): Record<string, unknown> | undefined {
  const named = sources.flatMap(({ fields, within }) =>
    Object.entries(fields).map(([name, value]) => ({ name, value, param: within ? `${within}[${name}]` : name })),
  );
  const kept = named.filter(({ name }) => !isReserved(name) && !isCallbackName(name));
  // Looked at before anything walks it to the bottom: 100,000 brackets are a short body and a long recursion.
  const deep = kept.find(({ value }) => isDeeper(value, MAX_DEPTH));
  if (deep) throw invalidField(deep.param, `may be nested at most ${MAX_DEPTH} deep`);

  const collected = Object.fromEntries(kept.map(({ name, value }) => [name, withoutCallbacks(value)]));
  const size = JSON.stringify(collected).length;
  if (size > MAX_CHARACTERS) {
    const largest = kept.toSorted((one, other) => jsonLength(other.value) - jsonLength(one.value))[0];
    throw invalidField(
      largest?.param ?? 'metadata',
      `makes the options for the upstream longer than ${MAX_CHARACTERS} characters as JSON`,
    );
  }
  return kept.length === 0 ? undefined : collected;
}

function isReserved(name: string): boolean {
  return MODEL_NAMES.has(name.trim().toLowerCase());
}

function withoutCallbacks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutCallbacks);
  if (!isRecord(value)) return value;
  const kept = Object.entries(value).filter(([name]) => !isCallbackName(name));
  return Object.fromEntries(kept.map(([name, inner]) => [name, withoutCallbacks(inner)]));
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

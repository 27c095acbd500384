import { isCallbackName } from '@sluice/canonical';

/**
 * The vendor options of a wish: its metadata without callbacks and without what the request itself decides. A body that
 * has them spread first can never be changed by them in what matters.
 * @param decided names that the wire sets itself or that no client may set, in any case
 */
export function vendorOptions(
  metadata: Record<string, unknown> | undefined,
  decided: readonly string[],
): Record<string, unknown> {
  const taken = new Set(decided.map((name) => name.toLowerCase()));
  return Object.fromEntries(
    Object.entries(metadata ?? {}).filter(([name]) => !taken.has(name.trim().toLowerCase()) && !isCallbackName(name)),
  );
}

/** The options that stand as an object under this name, for bodies that nest them; empty where there is no such object. */
export function nestedOptions(options: Record<string, unknown> | undefined, name: string): Record<string, unknown> {
  const nested = options?.[name];
  return typeof nested === 'object' && nested !== null && !Array.isArray(nested) ? { ...nested } : {};
}

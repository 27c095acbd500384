const OR_LIST = new Intl.ListFormat('en', { type: 'disjunction' });

/** Formats a list as `a, b, or c`. */
export function orList(values: readonly string[]): string {
  return OR_LIST.format(values);
}

/** The series of one metric family, by labels. */
export interface BoundedSeries<L extends string, S> {
  of(labels: Readonly<Record<L, string>>): S;
}

/** Maximum number of series in a family before labels of further series are replaced with `other`. */
const MAX_SERIES = 1_000;

/** The series with the same first labels, by their next label. */
interface Level<S> {
  inner: Map<string, Level<S>>;
  /** Set after the last label. */
  series?: S;
}

const OTHER = 'other';

/** Labels with values from the configuration or the admin API. All other labels have a fixed set of values. */
const CONFIGURED: readonly string[] = ['key', 'model', 'upstream'];

/**
 * Limits the number of series, because the admin API can create any number of keys. Beyond `max` series, new series get
 * the key `other`. Beyond twice that number, they also get the model and the upstream `other`. Sums over all series
 * stay exact.
 */
export function boundedSeries<L extends string, S>(
  names: readonly L[],
  create: (labels: Readonly<Record<L, string>>) => S,
  max: number = MAX_SERIES,
): BoundedSeries<L, S> {
  const root: Level<S> = { inner: new Map() };
  let count = 0;

  /** Follows one label after the other, because hashing all of them as one text takes several times as long. */
  function find(labels: Readonly<Record<L, string>>, limit: number): S | undefined {
    let level: Level<S> = root;
    for (const name of names) {
      const value = labels[name];
      let next = level.inner.get(value);
      if (next === undefined) {
        if (count >= limit) return undefined;
        level.inner.set(value, (next = { inner: new Map() }));
      }
      level = next;
    }
    if (level.series === undefined && count < limit) {
      level.series = create(labels);
      count += 1;
    }
    return level.series;
  }

  function folded(labels: Readonly<Record<L, string>>, replaced: readonly string[]): Record<L, string> {
    const copy: Record<L, string> = { ...labels };
    for (const name of names) if (replaced.includes(name)) copy[name] = OTHER;
    return copy;
  }

  return {
    of(labels) {
      const found = find(labels, max) ?? find(folded(labels, ['key']), 2 * max);
      if (found !== undefined) return found;
      const rest = folded(labels, CONFIGURED);
      return find(rest, Number.POSITIVE_INFINITY) ?? create(rest);
    },
  };
}

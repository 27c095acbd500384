/** Longer names are truncated for the comparison. This limits the work, because some names come from clients. */
const MAX_LENGTH = 128;

function editDistance(from: string, to: string): number {
  const a = from.slice(0, MAX_LENGTH);
  const b = to.slice(0, MAX_LENGTH);
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1];
      let best = Math.min(
        cell(last, column) + 1,
        cell(current, column - 1) + 1,
        cell(last, column - 1) + (same ? 0 : 1),
      );
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) best = Math.min(best, cell(beforeLast, column - 2) + 1);
      current.push(best);
    }
    beforeLast = last;
    last = current;
  }
  return cell(last, b.length);
}

/**
 * Returns at most `count` names that are similar to an unknown name, most similar first. At least half of their letters
 * are equal.
 */
export function nearestNames(unknown: string, names: readonly string[], count: number): string[] {
  const lower = unknown.toLowerCase();
  return names
    .map((name) => ({ name, distance: editDistance(lower, name.toLowerCase()) }))
    .filter(({ name, distance }) => distance <= Math.max(2, unknown.length, name.length) / 2)
    .toSorted((one, other) => one.distance - other.distance)
    .slice(0, count)
    .map(({ name }) => name);
}

/** Returns the most similar name if at most a third of its letters differ. */
function likelyName(unknown: string, names: readonly string[]): string | undefined {
  const [name] = nearestNames(unknown, names, 1);
  if (name === undefined) return undefined;
  const allowed = Math.max(1, Math.floor(Math.max(unknown.length, name.length) / 3));
  return editDistance(unknown.toLowerCase(), name.toLowerCase()) <= allowed ? name : undefined;
}

/** Suggests a remedy for an unknown name. @param otherwise the remedy if no names are known */
export function suggestName(unknown: string, known: readonly string[], otherwise: string): string {
  const likely = likelyName(unknown, known);
  if (likely !== undefined) return `did you mean \`${likely}\`?`;
  return known.length === 0 ? otherwise : `write one of: ${known.join(', ')}`;
}

function cell(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}

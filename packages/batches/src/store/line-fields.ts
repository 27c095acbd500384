/**
 * The fields of `lines:<batch>:<segment>`, a hash with the state of each line of a segment that runs. The scripts build
 * the same names: a letter, and the position of the line in the segment, from 0.
 *
 * - `i`: the intent, i.e. the attempt that may have sent the line.
 * - `r`: the result as JSON, after `o` if it belongs to the output file, or `e` if it belongs to the error file.
 * - `c`: what must be charged for the result. It is removed in the step that charges it.
 */
const LETTERS = { intent: 'i', result: 'r', charge: 'c' } as const;

type LineField = keyof typeof LETTERS;

/** @param position of the line in the segment, from 0 */
export function lineField(kind: LineField, position: number): string {
  return `${LETTERS[kind]}${position}`;
}

/** Returns the positions of the lines that have a field of this kind. */
export function positionsWith(kind: LineField, fields: readonly string[]): number[] {
  return fields.filter((field) => field.startsWith(LETTERS[kind])).map((field) => Number(field.slice(1)));
}

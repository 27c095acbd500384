import { describe, expect, it } from 'vitest';
import { expectFile, GOLDEN, goldenCases, leftOvers } from '../test/golden-files.ts';
import { type Cell, goldenCells } from '../test/golden-cells.ts';

/**
 * What each client's words become at each upstream, and each upstream's answer for each client: one small file per cell,
 * equal ends included. `SLUICE_GOLDEN=write` writes them; what it writes is read by a person before it is kept.
 */
describe.each(['requests', 'answers', 'streams', 'refusals'] as const)('golden %s', (kind) => {
  const cells = goldenCases(kind).flatMap((name) => goldenCells(kind, name));

  it.each(cells.map((cell): [string, Cell] => [cell.file, cell]))('%s', (file, cell) => {
    expectFile(`${GOLDEN}/${kind}/${file}`, cell.make());
  });

  it('has no file that nothing makes', () => {
    expect(cells.length).toBeGreaterThan(0);
    expect(
      leftOvers(
        kind,
        cells.map(({ file }) => file),
      ),
    ).toEqual([]);
  });
});

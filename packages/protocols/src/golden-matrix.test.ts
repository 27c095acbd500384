import { describe, expect, it } from 'vitest';
import { expectFile, GOLDEN, goldenCases, obsoleteFiles } from '../test/golden/golden-files.ts';
import { type Cell, goldenCells } from '../test/golden/golden-cells.ts';

/**
 * One small file per request and upstream, and per response and client, including equal protocols.
 * `SLUICE_GOLDEN=write` writes the files. Review the changes before you commit.
 */
describe.each(['requests', 'responses', 'streams', 'errors'] as const)('golden %s', (kind) => {
  const cells = goldenCases(kind).flatMap((name) => goldenCells(kind, name));

  it.each(cells.map((cell): [string, Cell] => [cell.file, cell]))('%s', (file, cell) => {
    expectFile(`${GOLDEN}/${kind}/${file}`, cell.make());
  });

  it('has no obsolete files', () => {
    expect(cells.length).toBeGreaterThan(0);
    expect(
      obsoleteFiles(
        kind,
        cells.map(({ file }) => file),
      ),
    ).toEqual([]);
  });
});

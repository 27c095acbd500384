/**
 * Reads a table of numeric codes under a page's heading. Maps each error code to its number, e.g. for a row `| 1201 |
 * `invalid_request`, … |`.
 */
export function codeTable(page: string, heading: string): Record<string, number> {
  const [, section = ''] = page.split(`${heading}\n`);
  const [table = ''] = section.split('\n## ');
  const rows = [...table.matchAll(/^\| (\d+) \|([^|]+)\|/gm)];
  return Object.fromEntries(
    rows.flatMap(([, number, codes = '']) =>
      [...codes.matchAll(/`(\w+)`/g)].map(([, code = '']) => [code, Number(number)] as const),
    ),
  );
}

/** Reads the table of numbers under a heading of a page, `| 1201 | `invalid_request`, … |`, as code → number. */
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

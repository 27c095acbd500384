import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { ROOT } from '../processes.ts';
import { type Dashboard, readDashboards } from './dashboards.ts';

/** Grafana publishes its schema as types, in which files cannot name the members of enumerations. */
const TYPES = `
import type { Dashboard, Panel, RowPanel } from '@grafana/schema';
type Plain<T> = T extends number | boolean | null | undefined ? T
  : T extends string ? \`\${T}\`
  : T extends (infer Item)[] ? Plain<Item>[]
  : T extends object ? { [K in keyof T]: Plain<T[K]> }
  : T;
type Board = Plain<Omit<Dashboard, 'panels'>> & { panels: (Plain<Panel> | Plain<RowPanel>)[] };
`;

/** @throws with the compiler's messages */
async function checkTypes(dashboards: readonly object[]): Promise<void> {
  const dir = await mkdtemp(path.join(ROOT, 'node_modules/.schema-'));
  try {
    const files = dashboards.map((one) => `${TYPES}export default ${JSON.stringify(one, null, 1)} satisfies Board;`);
    const names = files.map((_, index) => path.join(dir, `${index}.ts`));
    await Promise.all(files.map((text, index) => writeFile(names[index] ?? '', text)));
    const flags = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2022'];
    await promisify(execFile)(path.join(ROOT, 'node_modules/.bin/tsc'), ['--ignoreConfig', ...flags, ...names], {
      cwd: dir,
    });
  } catch (error) {
    throw new Error((error as { stdout: string }).stdout || String(error), { cause: error });
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

it("the dashboards match Grafana's published schema", async () => {
  await checkTypes(await readDashboards());
}, 120_000);

it('the check finds a wrong field', async () => {
  const [dashboard] = (await readDashboards()) as [Dashboard];
  const [panel] = dashboard.panels;
  const broken = { ...dashboard, panels: [{ ...panel, gridPos: { x: '0', y: 0, w: 4, h: 4 } }] };
  await expect(checkTypes([broken])).rejects.toThrow("Type 'string' is not assignable to type 'number'");
}, 120_000);

it('panels have unique ids and do not overlap', async () => {
  for (const { title, panels } of await readDashboards()) {
    expect(new Set(panels.map(({ id }) => id)).size, title).toBe(panels.length);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, index) => `${x + (index % w)},${y + Math.floor(index / w)}`),
    );
    expect(new Set(cells).size, title).toBe(cells.length);
    expect(Math.max(...panels.map(({ gridPos: { x, w } }) => x + w))).toBeLessThanOrEqual(24);
  }
});

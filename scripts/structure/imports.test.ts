import { expect, it } from 'vitest';
import { importsOf } from './imports.mjs';

it('importsOf returns values, types, re-exports, and dynamic imports, but not packages', () => {
  const source = [
    "import { a } from './a.ts';",
    "import type { B } from '../b.ts';",
    "export * from './c.ts';",
    "export { d } from './d.ts';",
    "type E = import('./e.ts').E;",
    "import { z } from 'zod';",
  ].join('\n');
  const folder = 'packages/x/src';
  expect(importsOf(`${folder}/file.ts`, source)).toEqual([
    `${folder}/a.ts`,
    'packages/x/b.ts',
    `${folder}/c.ts`,
    `${folder}/d.ts`,
    `${folder}/e.ts`,
  ]);
});

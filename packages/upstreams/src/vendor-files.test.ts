import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MANIFESTS } from '@sluice/vendors';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');

// These kinds have the same names as client protocols, so other files may mention them.
const PROTOCOLS = new Set<string>([
  'videos',
  'chat-completions',
  'responses',
  'messages',
  'generative-content',
  'provider-a',
  'provider-b',
  'cohere',
]);
const VENDORS = MANIFESTS.map(({ kind }) => kind).filter((kind) => !PROTOCOLS.has(kind));

// The folder `e2e` has only tests.
const SOURCES = ['apps', 'packages', 'bench'].map((folder) => `${folder}/{*/,}src/**/*.ts`);
const FILES = globSync(SOURCES, { cwd: ROOT })
  // Signatures of AWS contain the name of a service, which is also the name of a kind.
  .filter((path) => !path.endsWith('.test.ts') && !path.includes('/aws/'))
  .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));

it.each(VENDORS)('only three files outside the folders of %s name it', (kind) => {
  const name = new RegExp(`(['"\`])${kind}\\1|['"][^'"\\n]*/${kind}/[^'"\\n]*['"]`);
  const others = FILES.filter(({ path, text }) => !path.includes(`/${kind}/`) && name.test(text));
  expect(others.map(({ path }) => path).toSorted()).toEqual([
    'apps/sandbox/src/wires/wire-table.ts',
    'packages/upstreams/src/registry.ts',
    'packages/vendors/src/manifests.ts',
  ]);
});

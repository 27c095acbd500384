import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { UPSTREAM_KINDS } from '@sluice/config';
import { expect, it } from 'vitest';
import { UPSTREAM_REGISTRY } from './registry.ts';

it('every folder of a kind has its line, under the folder’s own name', () => {
  const folders = readdirSync(import.meta.dirname, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(import.meta.dirname, entry.name, 'index.ts')))
    .map(({ name }) => name);
  expect(UPSTREAM_REGISTRY.map(({ kind }) => kind).toSorted()).toEqual(folders.toSorted());
});

it('every folder but those of shared pieces is a kind', () => {
  const strays = readdirSync(import.meta.dirname, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !existsSync(join(import.meta.dirname, entry.name, 'index.ts')))
    .map(({ name }) => name);
  expect(strays.toSorted()).toEqual(['audio', 'direct', 'http', 'media', 'realtime', 'text']);
});

it('the configuration accepts exactly the kinds that there are', () => {
  expect([...UPSTREAM_KINDS].toSorted()).toEqual(UPSTREAM_REGISTRY.map(({ kind }) => kind).toSorted());
});

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { UPSTREAM_KINDS } from '@sluice/config';
import { expect, it } from 'vitest';
import { UPSTREAM_REGISTRY } from './registry.ts';

it('lists every folder of a kind under its name', () => {
  const folders = readdirSync(import.meta.dirname, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(import.meta.dirname, entry.name, 'index.ts')))
    .map(({ name }) => name);
  expect(UPSTREAM_REGISTRY.map(({ kind }) => kind).toSorted()).toEqual(folders.toSorted());
});

it('every folder is a kind or shared code', () => {
  const strays = readdirSync(import.meta.dirname, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !existsSync(join(import.meta.dirname, entry.name, 'index.ts')))
    .map(({ name }) => name);
  expect(strays.toSorted()).toEqual([
    'audio',
    'batches',
    'cloud',
    'contract',
    'direct',
    'http',
    'media',
    'model-lists',
    'realtime',
    'text',
    'vendor-files',
  ]);
});

it('the configuration accepts exactly the registered kinds', () => {
  expect([...UPSTREAM_KINDS].toSorted()).toEqual(UPSTREAM_REGISTRY.map(({ kind }) => kind).toSorted());
});

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERROR_STATUS } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { ENDPOINTS } from './registry.ts';

/** A protocol is a folder with an `index.ts`; nothing else may be a folder here. */
const folders = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

describe('the registry', () => {
  it('serves every protocol that has a folder, under the folder’s own name', () => {
    const served = new Set(ENDPOINTS.map(({ protocol }) => protocol.name));
    expect([...served].toSorted()).toEqual(folders.toSorted());
  });

  it('finds an index in every folder, and all its routes in the list', async () => {
    for (const folder of folders) {
      expect(existsSync(join(import.meta.dirname, folder, 'index.ts')), folder).toBe(true);
      const exported: Record<string, unknown> = await import(`./${folder}/index.ts`);
      const lists = Object.values(exported).filter((value) => Array.isArray(value));
      expect(lists.length, `${folder} exports its routes`).toBeGreaterThan(0);
      for (const route of lists.flat()) expect(ENDPOINTS).toContain(route);
    }
  });

  it('has no route twice and no operationId twice', () => {
    const routes = ENDPOINTS.map(({ method, path }) => `${method} ${path}`);
    expect(new Set(routes).size).toBe(routes.length);
    const ids = ENDPOINTS.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each(ENDPOINTS.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
    '%s tells a success, only errors that exist, and each once',
    (_route, { answers, errors, path, credentials, summary }) => {
      expect(Object.keys(answers).some((status) => status.startsWith('2'))).toBe(true);
      expect(errors.filter((code) => !(code in ERROR_STATUS))).toEqual([]);
      expect(new Set(errors).size).toBe(errors.length);
      expect(path).toMatch(/^\/[\w/:-]+$/);
      expect(credentials.length).toBeGreaterThan(0);
      expect(summary).not.toBe('');
    },
  );

  it('keeps protocols from reaching into their neighbours', () => {
    for (const folder of folders) {
      const files = readdirSync(join(import.meta.dirname, folder)).filter((file) => file.endsWith('.ts'));
      const source = files.map((file) => readFileSync(join(import.meta.dirname, folder, file), 'utf8')).join('\n');
      expect(source.match(/from '\.\.\/[^']*\/[^']*'/g) ?? []).toEqual([]);
    }
  });
});

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { ConfigError } from '../src/issues/config-error.ts';
import { loadConfig } from '../src/load/load-config.ts';

/** Creates a working folder for each test of the file. */
export function useConfigFolder() {
  let cwd = '';
  beforeEach(async () => {
    cwd = await mkdtemp(path.join(tmpdir(), 'sluice-config-'));
  });
  afterEach(() => rm(cwd, { recursive: true }));
  /** Writes `sluice.yaml`, and loads it. */
  async function load(text: string, env: Record<string, string> = {}) {
    await writeFile(path.join(cwd, 'sluice.yaml'), text);
    return loadConfig({ env: { SLUICE_KEY: 'sk-some-key', ...env }, cwd });
  }

  return { cwd: () => cwd, load };
}

/** Expects that loading fails with problems of the configuration. @returns their text */
export async function messageOf(loading: Promise<unknown>): Promise<string> {
  const error: unknown = await loading.then(
    () => new Error('loaded'),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ConfigError);
  return error instanceof Error ? error.message : '';
}

import path from 'node:path';
import type { SandboxSettings } from './start-sandbox.ts';

function wholeNumber(name: string, text: string, most: number): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value <= most) return value;
  throw new Error(`${name}: expected a whole number from 0 to ${most}, got "${text}"`);
}

/**
 * Reads the settings of the sandbox process from its environment; an empty variable counts as unset.
 * @throws Error naming the variable.
 */
export function readSettings(env: Readonly<Record<string, string | undefined>>): SandboxSettings {
  const read = (name: string, otherwise: string): string => env[name] || otherwise;
  return {
    host: read('SLUICE_SANDBOX_HOST', '127.0.0.1'),
    port: wholeNumber('SLUICE_SANDBOX_PORT', read('SLUICE_SANDBOX_PORT', '8079'), 65_535),
    dataDir: path.resolve(read('SLUICE_SANDBOX_DATA', path.join(read('SLUICE_DATA_DIR', '.sluice'), 'sandbox'))),
    renderMs: wholeNumber('SLUICE_SANDBOX_RENDER_MS', read('SLUICE_SANDBOX_RENDER_MS', '2000'), 86_400_000),
    apiKey: read('SLUICE_SANDBOX_KEY', 'sk-sandbox'),
  };
}

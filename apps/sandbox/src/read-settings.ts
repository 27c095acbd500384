import path from 'node:path';
import { isMediaWire } from './wires/wire-table.ts';
import type { SandboxSettings } from './start-sandbox.ts';

function integer(name: string, text: string, max = 86_400_000): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value <= max) return value;
  throw new Error(`\`${name}\` must be a whole number from 0 to ${max}; got \`${text}\`.`);
}

function concurrency(name: string, text: string): Record<string, number> {
  const limits: Record<string, number> = {};
  for (const part of text.split(',').filter((chunk) => chunk.trim() !== '')) {
    const [, wire = '', limit] = /^\s*([a-z-]+)\s*=\s*([1-9]\d{0,5})\s*$/.exec(part) ?? [];
    if (!isMediaWire(wire))
      throw new Error(`\`${name}\` must list wires and limits such as \`provider-a=3\`; got \`${part}\`.`);
    limits[wire] = Number(limit);
  }
  return limits;
}

/**
 * Reads the settings from the environment. An empty variable is treated as unset.
 * @throws Error that names the invalid variable.
 */
export function readSettings(env: Readonly<Record<string, string | undefined>>): SandboxSettings {
  const read = (name: string, otherwise: string): string => env[name] || otherwise;
  const visible = read('SLUICE_SANDBOX_VISIBLE_MS', '');
  return {
    host: read('SLUICE_SANDBOX_HOST', '127.0.0.1'),
    port: integer('SLUICE_SANDBOX_PORT', read('SLUICE_SANDBOX_PORT', '8079'), 65_535),
    ...(read('SLUICE_SANDBOX_PORT_FALLBACK', '') === '' ? {} : { anyPort: true }),
    dataDir: path.resolve(read('SLUICE_SANDBOX_DATA', path.join(read('SLUICE_DATA_DIR', '.sluice'), 'sandbox'))),
    renderMs: integer('SLUICE_SANDBOX_RENDER_MS', read('SLUICE_SANDBOX_RENDER_MS', '2000'), 86_400_000),
    ...(visible === '' ? {} : { visibleAfterMs: integer('SLUICE_SANDBOX_VISIBLE_MS', visible, 86_400_000) }),
    concurrency: concurrency('SLUICE_SANDBOX_CONCURRENCY', read('SLUICE_SANDBOX_CONCURRENCY', '')),
    apiKey: read('SLUICE_SANDBOX_KEY', 'sk-sandbox'),
    accessKey: read('SLUICE_SANDBOX_ACCESS_KEY', 'ak-sandbox'),
  };
}

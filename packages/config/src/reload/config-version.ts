import { createHmac } from 'node:crypto';
import type { Config } from '../schema/schema.ts';
import { needsRestart } from './restart-fields.ts';

const CHARACTERS = 12;

/**
 * Returns a short hash of the fields that a reload can change. Processes with the same version serve requests alike. It
 * changes with each credential, but reveals none: the hash is keyed with the gateway's secret, which all processes
 * share.
 */
export function configVersion(config: Config, secret: string): string {
  const { file: _file, dataDir: _data, contentDir: _content, ...fields } = config;
  const shared = Object.entries(fields).map(([section, value]): [string, unknown] => [
    section,
    reloaded(section, value),
  ]);
  const text = JSON.stringify(sorted(Object.fromEntries(shared)));
  return createHmac('sha256', secret).update('sluice configuration\n').update(text).digest('hex').slice(0, CHARACTERS);
}

function reloaded(section: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !needsRestart(`${section}.${name}`)));
}

/** The order of fields has no meaning, but the order of lists has. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(fields.map(([name, field]) => [name, sorted(field)]));
}

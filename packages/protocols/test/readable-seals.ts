import type { Seal, TextProtocolName } from '@sluice/canonical';
import { createSealer, SEAL_PREFIX } from '../src/index.ts';

/** The sealer of all golden files. */
export const TEST_SEALER = createSealer('the secret of the golden files');

const WRAPPED = new RegExp(`${SEAL_PREFIX}[A-Za-z0-9+/]*={0,2}`, 'g');
const READABLE = /^sealed by (\S*) (\S*) (\S*): ([^]*)$/;

/** `sealed by messages acc claude-sonnet-4-5: VALUE`, in place of its base64. */
function readable({ protocol, account = '-', model = '-', value }: Seal): string {
  return `sealed by ${protocol} ${account} ${model}: ${value}`;
}

/** Makes seals in a JSON text readable. */
export function showSeals(json: string): string {
  return json.replaceAll(WRAPPED, (wrapped) => {
    const seal = TEST_SEALER.unwrap(wrapped);
    return seal ? JSON.stringify(readable(seal)).slice(1, -1) : wrapped;
  });
}

/** Wraps the readable seals of a value. */
export function wrapSeals(value: unknown): unknown {
  if (typeof value === 'string') return wrapText(value);
  if (Array.isArray(value)) return value.map(wrapSeals);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, wrapSeals(inner)]));
}

function wrapText(text: string): string {
  const [, protocol, account, model, value] = READABLE.exec(text) ?? [];
  if (protocol === undefined || value === undefined) return text;
  return TEST_SEALER.wrap({
    protocol: protocol as TextProtocolName, // written by hand in a golden file
    value,
    ...(account !== '-' && account !== undefined && { account }),
    ...(model !== '-' && model !== undefined && { model }),
  });
}

import { parseOptions } from '../terminal/parse-options.ts';

/** The options of `sluice start` and the environment variables they set. */
const VARIABLES = { port: 'SLUICE_PORT', host: 'SLUICE_HOST', config: 'SLUICE_CONFIG' } as const;

export const START_OPTIONS = ['port', 'host', 'config', 'help'] as const;

export const START_USAGE = `Usage: npm start -- [options]     or: sluice start [options]

  --port N       port of the API (default 8080); overrides SLUICE_PORT
  --host H       address of the API (default 127.0.0.1); overrides SLUICE_HOST
  --config FILE  configuration (default ./sluice.yaml if it exists); overrides SLUICE_CONFIG
  --help         print this text

Runs the API, a worker, and their dependencies until Ctrl-C. SLUICE_DATA_DIR selects the data folder (default ./.sluice).
`;

/**
 * @returns the environment with the options applied, or `help`
 * @throws UsageError
 */
export function parseStartArguments(args: readonly string[], env: NodeJS.ProcessEnv): NodeJS.ProcessEnv | 'help' {
  const values = parseOptions(args, {
    port: { type: 'string' },
    host: { type: 'string' },
    config: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  });
  if (values['help'] === true) return 'help';
  const merged = { ...env };
  for (const [option, variable] of Object.entries(VARIABLES)) {
    const value = values[option];
    if (typeof value === 'string') merged[variable] = value;
  }
  return merged;
}

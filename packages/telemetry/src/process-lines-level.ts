/**
 * The log level of lines about a process's start and stop. `sluice start` sets `SLUICE_SUPERVISED` and prints a banner
 * and its own last lines instead.
 */
export function processLinesLevel(env: NodeJS.ProcessEnv): 'info' | 'debug' {
  return env['SLUICE_SUPERVISED'] ? 'debug' : 'info';
}

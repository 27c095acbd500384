import { fileURLToPath } from 'node:url';
import { type Config, loadConfig } from '@sluice/config';
import { ChildStartError } from '@sluice/lifecycle';
import { paintError } from '../terminal/paint.ts';
import { printText } from '../terminal/print-text.ts';
import { readVersion } from './read-version.ts';
import { banner } from './banner.ts';
import { checkStart } from './check-start.ts';
import { type GatewayPrograms, runGateway } from './run-gateway.ts';
import { parseStartArguments, START_USAGE } from './start-arguments.ts';
import { listenForStop } from './stop-request.ts';

const app = (name: string) => fileURLToPath(new URL(`../../../${name}/src/main.ts`, import.meta.url));
const PROGRAMS: GatewayPrograms = { api: app('api'), worker: app('worker'), sandbox: app('sandbox') };

/** The width used without a terminal. */
const DEFAULT_COLUMNS = 100;

/** The default configuration's documented key. */
const PUBLIC_KEY = 'sk-test-local';

/**
 * `sluice start`: runs a complete gateway until it receives a stop request.
 * @returns the exit code
 * @throws {ConfigError | UsageError} if the configuration or an option is invalid
 */
export async function startCommand(process: NodeJS.Process, programs = PROGRAMS): Promise<number> {
  const env = parseStartArguments(process.argv.slice(3), process.env);
  if (env === 'help') return printText(process, START_USAGE);
  const stop = listenForStop(process);
  const cwd = process.cwd();
  const config = await loadConfig({ env, cwd });
  try {
    await checkStart(config);
  } catch (error) {
    process.stderr.write(`${paintError('red', '✗')} ${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
  const printLine = (line: string) => process.stdout.write(`  ${line}\n`);
  const gateway = runGateway({ config, programs, env, cwd, onLine: printLine });
  void stop.urgent.then(() => gateway.killAll());
  try {
    const facts = await Promise.race([gateway.ready, stop.requested]);
    if (facts) {
      const version = await readVersion();
      // Measured from the start of this process, so it includes module loading.
      const readyMs = performance.now();
      const columns = process.stdout.isTTY ? process.stdout.columns : DEFAULT_COLUMNS;
      process.stdout.write(banner(config, { ...facts, version, readyMs, publicKey: publicKey(config), cwd, columns }));
      await stop.requested;
    }
  } catch (error) {
    const isReported = error instanceof ChildStartError && error.hasReported;
    if (!isReported)
      process.stderr.write(`${paintError('red', '✗')} ${error instanceof Error ? error.message : String(error)}\n`);
    await gateway.stop();
    return 1;
  }
  printLine('Stopping: finishing requests and task steps…');
  await gateway.stop();
  printLine('Stopped.');
  return 0;
}

function publicKey(config: Config): string | undefined {
  return config.keys.find(({ key }) => key === PUBLIC_KEY)?.key;
}

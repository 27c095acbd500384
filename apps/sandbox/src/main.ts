/**
 * The sandbox as a process. Under a launcher (with an IPC channel) it sends `{type: 'ready', url}` when it listens,
 * stops when the channel closes, and ignores SIGINT. Otherwise it prints its URL and stops on SIGINT. SIGTERM always
 * stops it with exit code 0. If it cannot start, it prints the reason in one line and exits with code 1.
 */
import { readSettings } from './read-settings.ts';
import { type RunningSandbox, startSandbox } from './start-sandbox.ts';

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isPortInUse = 'code' in error && error.code === 'EADDRINUSE' && 'port' in error;
  if (!isPortInUse) return error.message;
  return `Port ${String(error.port)} is in use. Stop the process that uses it, or set SLUICE_SANDBOX_PORT.`;
}

const launched = process.send !== undefined;
let sandbox: RunningSandbox | undefined;
let stopping = false;

async function stop(): Promise<void> {
  if (stopping) return;
  stopping = true;
  await sandbox?.close();
  process.exit(0);
}

process.on('SIGTERM', () => void stop());
if (launched) {
  process.on('disconnect', () => void stop());
  process.on('SIGINT', () => undefined);
} else {
  process.on('SIGINT', () => void stop());
}

try {
  sandbox = await startSandbox({ ...readSettings(process.env), logger: { level: 'warn' } });
  if (process.send !== undefined) process.send({ type: 'ready', url: sandbox.url });
  else console.log(`Sandbox listens on ${sandbox.url}`);
} catch (error) {
  console.error(`sandbox: ${explain(error)}`);
  process.exit(1);
}

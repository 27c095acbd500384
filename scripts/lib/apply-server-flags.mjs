import { SERVER_FLAGS, SERVER_MEMORY } from './server-flags.mjs';

/**
 * Replaces this process by one with {@link SERVER_FLAGS} and {@link SERVER_MEMORY}. It keeps its id, its environment, and
 * its standard streams. A process with an IPC channel would lose the channel, so its launcher passes the flags instead. Flags of the user have
 * precedence.
 */
export function applyServerFlags(program) {
  const { argv, env, execArgv, execPath } = program;
  const own = [...execArgv, env.NODE_OPTIONS ?? ''].join(' ');
  const missing = SERVER_FLAGS.filter((flag) => !own.includes(setting(flag)));
  // Windows has no `execve`.
  if (missing.length === 0 || program.send || !program.execve || process.platform === 'win32') return;
  program.execve(execPath, [execPath, ...missing, ...execArgv, ...argv.slice(1)], { ...SERVER_MEMORY, ...env });
}

/** Returns the name of the setting, e.g. `flush-bytecode`. Both limits of a size count as one setting. */
function setting(flag) {
  return flag.replace(/^--(no-|min-|max-)?/, '').replace(/=.*/, '');
}

import { chooseNode } from './choose-node.mjs';
import { installDependencies } from './install-dependencies.mjs';
import { ROOT } from './root.mjs';
import { watchLaunchers } from './watch-launchers.mjs';

/**
 * Prepares a checkout. If this process receives a stop signal, stops the running program.
 *
 * @returns {Promise<{ node: string, runs: (running: { stop: () => void }) => void }>} the Node to use, and a function
 * that registers the running program
 */
export async function prepare({ withDev }) {
  let current;
  let stopping = false;
  const stop = () => {
    stopping = true;
    if (current) current.stop();
    else process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);
  watchLaunchers(stop);
  const runs = (running) => {
    current = running;
    if (stopping) running.stop();
  };

  const installed = await installDependencies({ root: ROOT, withDev, onStart: runs });
  if (stopping || !installed) process.exit(1);
  current = undefined;
  const node = await chooseNode(ROOT);
  if (!node) process.exit(1);
  return { node, runs };
}

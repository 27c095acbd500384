import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runTethered } from './run-tethered.mjs';
import { runsSluice, REQUIRED_NODE } from './runs-sluice.mjs';

/**
 * Returns the path of the current Node if it is new enough, otherwise the path of the bundled Node. Prints a message if
 * neither can be used.
 */
export async function chooseNode(root) {
  if (runsSluice(process.versions.node) && existsSync(process.execPath)) return process.execPath;
  const platform = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const bundled = join(root, `node_modules/node-${platform}/bin/node${process.platform === 'win32' ? '.exe' : ''}`);
  const version = existsSync(bundled) ? await versionOf(bundled, root) : undefined;
  if (version) {
    console.log(
      `  Node ${process.version} starts Sluice; the bundled Node ${version} runs it (required: ${REQUIRED_NODE})`,
    );
    return bundled;
  }
  console.error(
    `✗ Sluice needs Node ${REQUIRED_NODE}. This is Node ${process.version}, and the bundled Node does not run on ${platform}.\n` +
      '  Install a newer Node from https://nodejs.org and start again.',
  );
  return undefined;
}

async function versionOf(program, cwd) {
  const { code, output } = await runTethered([program, '--version'], { cwd, env: process.env, output: 'pipe' }).ended;
  return code === 0 ? output.trim() : undefined;
}

import { takeInstallLock } from './install-lock.mjs';
import { isInstalled } from './is-installed.mjs';
import { runTethered } from './run-tethered.mjs';
import { withoutEngineWarnings } from './without-engine-warnings.mjs';

/**
 * Installs what the lock file asks for, when it is not there yet. Says one line; on failure npm's own output.
 *
 * @param {{ root: string, withDev: boolean, onStart: (running: { stop: () => void }) => void }} options
 *   `onStart` is given each npm run, to stop it with
 * @returns {Promise<boolean>} whether the dependencies are there
 */
export async function installDependencies({ root, withDev, onStart }) {
  if (isInstalled(root, withDev)) return true;
  const release = await takeInstallLock(root, (pid) => {
    console.log(`  Waiting for process ${pid}, which is installing dependencies…`);
  });
  try {
    if (isInstalled(root, withDev)) return true;
    return await install(root, withDev, onStart);
  } finally {
    release();
  }
}

async function install(root, withDev, onStart) {
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-progress', '--loglevel=warn'];
  flags.push(withDev ? '--include=dev' : '--omit=dev');
  const run = async (...command) => {
    const env = { ...process.env, NO_UPDATE_NOTIFIER: '1', npm_config_update_notifier: 'false' };
    const running = runTethered([...npmProgram(), ...command, ...flags], { cwd: root, env, output: 'pipe' });
    onStart(running);
    return running.ended;
  };
  process.stdout.write(`  Installing dependencies ${withDev ? 'for the tests ' : ''}(first run only)… `);
  const begun = Date.now();
  let result = await run('ci');
  // A registry that lacks a platform's package makes `npm ci` refuse a lock file that is fine for this machine.
  if (result.code !== 0 && result.output.includes('EUSAGE')) result = await run('install', '--no-save');
  if (result.code === 0) {
    console.log(`done in ${Math.max(1, Math.round((Date.now() - begun) / 1000))} s`);
    return true;
  }
  console.log('failed');
  console.error(withoutEngineWarnings(result.output));
  console.error('✗ The dependencies could not be installed; npm says why above.');
  return false;
}

/** npm as it runs this script; node_modules/.bin/node, on which we may be running, is deleted by `npm ci`. */
function npmProgram() {
  const { npm_node_execpath: node, npm_execpath: npm } = process.env;
  if (node && npm) return [node, npm];
  return [process.platform === 'win32' ? 'npm.cmd' : 'npm'];
}

import { acquireInstallLock } from './install-lock.mjs';
import { isInstalled } from './is-installed.mjs';
import { runTethered } from './run-tethered.mjs';
import { withoutEngineWarnings } from './without-engine-warnings.mjs';

/**
 * Installs missing dependencies. Prints one line, or npm's output if the installation fails. `onStart` receives each
 * npm process that is started.
 */
export async function installDependencies({ root, withDev, onStart }) {
  if (isInstalled(root, withDev)) return true;
  let release;
  try {
    release = await acquireInstallLock(root, (pid) => {
      console.log(`  Waiting for process ${pid} to install dependencies…`);
    });
  } catch (error) {
    console.error(`✗ ${error.message}`);
    return false;
  }
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
  const startedAt = Date.now();
  let result = await run('ci');
  // `npm ci` rejects a valid lock file if the registry lacks a package of another platform.
  if (result.code !== 0 && result.output.includes('EUSAGE')) result = await run('install', '--no-save');
  if (result.code === 0) {
    console.log(`done in ${Math.max(1, Math.round((Date.now() - startedAt) / 1000))} s`);
    return true;
  }
  console.log('failed');
  console.error(withoutEngineWarnings(result.output));
  console.error("✗ The dependencies could not be installed. See npm's output above.");
  return false;
}

/**
 * Returns the npm that runs this script, and npm's Node. The Node of this process may be node_modules/.bin/node, which
 * `npm ci` deletes.
 */
function npmProgram() {
  const { npm_node_execpath: node, npm_execpath: npm } = process.env;
  if (node && npm) return [node, npm];
  return [process.platform === 'win32' ? 'npm.cmd' : 'npm'];
}

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const CONSOLE = 'apps/console';
/** Smaller files gain nothing. */
const MIN_COMPRESSED_BYTES = 1_024;

const siteOf = (root) => join(root, CONSOLE, 'dist/site');
const stampOf = (root) => join(root, CONSOLE, 'dist/site-stamp');

/** Returns whether the built console is of the current sources. */
export function isConsoleBuilt(root) {
  if (!existsSync(join(siteOf(root), 'index.html')) || !existsSync(stampOf(root))) return false;
  return readFileSync(stampOf(root), 'utf8') === hashSources(root);
}

/**
 * Builds the console into `apps/console/dist/site`, and compresses its files, so that the API does not. Several processes
 * can build it at once, e.g. tests: each has its own folder, and the first one that finishes replaces the console.
 */
export async function buildConsole(root) {
  const hash = hashSources(root);
  const outDir = `${siteOf(root)}-${process.pid}`;
  try {
    await buildInto(outDir, root);
    for (const path of filesBelow(outDir)) compress(path);
    if (isConsoleBuilt(root)) return;
    rmSync(stampOf(root), { force: true });
    rmSync(siteOf(root), { recursive: true, force: true });
    renameSync(outDir, siteOf(root));
    writeFileSync(stampOf(root), hash);
  } catch (error) {
    // Another process has put the same console there since the check.
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
  } finally {
    rmSync(outDir, { recursive: true, force: true });
  }
}

async function buildInto(outDir, root) {
  const { build } = await import('vite');
  // Any other value would build React for development, and tests have another one.
  const { NODE_ENV } = process.env;
  process.env.NODE_ENV = 'production';
  try {
    const configFile = join(root, CONSOLE, 'vite.config.ts');
    await build({ root: join(root, CONSOLE), configFile, build: { outDir }, logLevel: 'error' });
  } finally {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = NODE_ENV;
  }
}

function compress(path) {
  const content = readFileSync(path);
  if (content.length < MIN_COMPRESSED_BYTES || !/\.(js|css|svg)$/.test(path)) return;
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  writeFileSync(`${path}.br`, brotliCompressSync(content, { params }));
  // Browsers accept Brotli only over https and from this machine.
  writeFileSync(`${path}.gz`, gzipSync(content, { level: constants.Z_BEST_COMPRESSION }));
}

/** Versions of packages are exact, so the manifest stands for their content. */
function hashSources(root) {
  const hash = createHash('sha256');
  const folder = join(root, CONSOLE);
  const sources = ['src', 'public', 'index.html', 'vite.config.ts', 'package.json'].map((name) => join(folder, name));
  for (const path of sources.flatMap(filesBelow)) {
    hash
      .update(`${relative(folder, path)}\0`)
      .update(readFileSync(path))
      .update('\0');
  }
  return hash.digest('hex');
}

function filesBelow(path) {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .toSorted((a, b) => (a < b ? -1 : 1))
    .flatMap((name) => filesBelow(join(path, name)));
}

import { readFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { build } from 'esbuild';
import { ROOT } from './root.mjs';

/** Packages that read their own files, or that few installations load. They are loaded from `node_modules`. */
const EXTERNAL = ['@aws-sdk/*', '@scalar/*', 'pg', 'pino-pretty'];

/** CommonJS packages use these variables, which ES modules lack. */
const COMMONJS_VARIABLES = `import { createRequire as createBundleRequire } from 'node:module';
const require = createBundleRequire(import.meta.url);
const { filename: __filename, dirname: __dirname } = import.meta;`;

/** These programs run with V8's flags for servers. */
const SERVERS = new Set(['apps/api', 'apps/worker']);

/** The start of a thread, with the path of its source file without the extension. */
const THREAD = /new Worker\(new URL\('(\.[^']+)\.ts', import\.meta\.url\)/g;

/**
 * Bundles `main.ts` of a program (e.g. `apps/api`), and everything that it imports, into a folder. Modules that are
 * imported dynamically become separate files. Loading one large file is faster than loading 900 small ones.
 */
export async function bundleProgram(program, outdir = join(ROOT, program, 'dist')) {
  await build({
    ...settings(outdir),
    entryPoints: [{ in: 'entry:', out: 'main' }],
    splitting: true,
    plugins: [entry(program), sources(outdir)],
  });
}

function settings(outdir) {
  return {
    absWorkingDir: ROOT,
    outdir,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node22.21',
    // V8 keeps the source text in memory. Names are not shortened, so that stack traces stay readable.
    minifyWhitespace: true,
    lineLimit: 200,
    conditions: ['source'],
    external: EXTERNAL,
    banner: { js: COMMONJS_VARIABLES },
    logLevel: 'warning',
  };
}

/** Servers set their flags before they load the program, because that may restart the process. */
function entry(program) {
  const flags = `import { applyServerFlags } from './scripts/lib/apply-server-flags.mjs'; applyServerFlags(process);`;
  const contents = `${SERVERS.has(program) ? flags : ''} await import('./${program}/src/main.ts');`;
  return {
    name: 'entry',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^entry:$/ }, () => ({ path: program, namespace: 'entry' }));
      onLoad({ filter: /.*/, namespace: 'entry' }, () => ({ contents, resolveDir: ROOT }));
    },
  };
}

/**
 * Modules find their Lua scripts and manifests relative to their source file, and also do so in the bundle. Each thread
 * that a module starts becomes a separate file in the folder of the bundle.
 */
function sources(outdir) {
  return {
    name: 'sources',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, async ({ path }) => {
        const source = await readFile(path, 'utf8');
        const threads = [...source.matchAll(THREAD)].map(([, thread]) => thread);
        for (const thread of threads) await bundleThread(resolve(dirname(path), `${thread}.ts`), outdir);
        const fromBundle = JSON.stringify(relative(outdir, path).replaceAll(sep, '/'));
        const contents = source
          .replaceAll(THREAD, (_, thread) => `new Worker(new URL('./${basename(thread)}.js', BUNDLE_URL)`)
          .replaceAll('import.meta.url', `new URL(${fromBundle}, import.meta.url).href`)
          .replaceAll('BUNDLE_URL', 'import.meta.url');
        return { contents, loader: 'ts', resolveDir: dirname(path) };
      });
    },
  };
}

async function bundleThread(path, outdir) {
  await build({ ...settings(outdir), entryPoints: [path], plugins: [sources(outdir)] });
}

import { readFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { build } from 'esbuild';
import { ROOT } from './root.mjs';

/** Packages that read their own files, or that few installations load. They are loaded from `node_modules`. */
const EXTERNAL = ['@aws-sdk/*', '@scalar/*', 'pino-pretty'];

/** CommonJS packages use these variables, which ES modules lack. */
const COMMONJS_VARIABLES = `import { createRequire as createBundleRequire } from 'node:module';
const require = createBundleRequire(import.meta.url);
const { filename: __filename, dirname: __dirname } = import.meta;`;

/** These programs run with V8's flags for servers. */
const SERVERS = new Set(['apps/api', 'apps/worker']);

/**
 * Bundles `main.ts` of a program (e.g. `apps/api`), and everything that it imports, into a folder. Modules that are
 * imported dynamically become separate files. Loading one large file is faster than loading 900 small ones.
 */
export async function bundleProgram(program, outdir = join(ROOT, program, 'dist')) {
  await build({
    absWorkingDir: ROOT,
    entryPoints: [{ in: 'entry:', out: 'main' }],
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22.21',
    conditions: ['source'],
    external: EXTERNAL,
    banner: { js: COMMONJS_VARIABLES },
    logLevel: 'warning',
    plugins: [entry(program), sourceUrls(outdir)],
  });
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

/** Modules find their Lua scripts and manifests relative to their source file, and also do so in the bundle. */
function sourceUrls(outdir) {
  return {
    name: 'source-urls',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, async ({ path }) => {
        const source = await readFile(path, 'utf8');
        const fromBundle = JSON.stringify(relative(outdir, path).replaceAll(sep, '/'));
        const contents = source.replaceAll('import.meta.url', `new URL(${fromBundle}, import.meta.url).href`);
        return { contents, loader: 'ts', resolveDir: dirname(path) };
      });
    },
  };
}

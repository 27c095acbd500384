import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { build } from 'esbuild';
import { ROOT } from './root.mjs';

/** Packages that read their own files, or that few installations load. They are loaded from `node_modules`. */
const EXTERNAL = ['@aws-sdk/*', '@azure/*', '@scalar/*', 'google-auth-library', 'pg', 'pino-pretty'];

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
  const { outputFiles } = await build({
    ...settings(outdir),
    entryPoints: [{ in: 'entry:', out: 'main' }],
    splitting: true,
    plugins: [entry(program), sources(outdir), unusedParts()],
  });
  await mkdir(outdir, { recursive: true });
  for (const { path, text } of outputFiles) await writeFile(path, inAscii(text));
}

/**
 * One Chinese character makes V8 keep a whole file with two bytes per character. esbuild escapes all of them except in
 * regular expressions and comments.
 */
function inAscii(code) {
  return code.replaceAll(/[^\0-\x7f]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function settings(outdir) {
  return {
    absWorkingDir: ROOT,
    outdir,
    bundle: true,
    write: false,
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

/**
 * Servers set their flags before they load the program, because that may restart the process. Then they enable Node's
 * compile cache, which does nothing if the folder cannot be written. `NODE_COMPILE_CACHE` has precedence.
 */
const PREPARE_SERVER = `
import { enableCompileCache } from 'node:module';
import { applyServerFlags } from './scripts/lib/apply-server-flags.mjs';
applyServerFlags(process);
enableCompileCache(import.meta.dirname + '/compile-cache');
`;

function entry(program) {
  const contents = `${SERVERS.has(program) ? PREPARE_SERVER : ''} await import('./${program}/src/main.ts');`;
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

/** The exports of undici that the programs use, as its `index.js` defines them. The build fails if one is missing. */
const UNDICI_CLIENT = `
import Dispatcher from 'undici/lib/dispatcher/dispatcher';
import api from 'undici/lib/api';
Object.assign(Dispatcher.prototype, api);
export { default as Agent } from 'undici/lib/dispatcher/agent';
export { default as Pool } from 'undici/lib/dispatcher/pool';
export { default as buildConnector } from 'undici/lib/core/connect';
export { default as errors } from 'undici/lib/core/errors';`;

const NO_COMPILER = `
module.exports = () => () => {
  throw new Error('Fastify was built without compilers of JSON schemas.');
};`;

/** Leaves out parts of packages that no program uses, because loading them takes time and memory at each start. */
function unusedParts() {
  return {
    name: 'unused-parts',
    setup({ onLoad, onResolve }) {
      // An `import` of this module also loads Node's WebSocket and fetch (40 ms and 14 MB). `require` does not.
      onResolve({ filter: /^node:http$/ }, ({ path, kind }) =>
        kind === 'import-statement' ? { path, namespace: 'require' } : undefined,
      );
      onLoad({ filter: /.*/, namespace: 'require' }, ({ path }) => ({
        contents: `module.exports = require(${JSON.stringify(path)});`,
      }));
      // undici also exports `fetch`, WebSockets, caches, and mocks.
      onResolve({ filter: /^undici$/ }, ({ path }) => ({ path, namespace: 'undici' }));
      onLoad({ filter: /.*/, namespace: 'undici' }, () => ({ contents: UNDICI_CLIENT, resolveDir: ROOT }));
      // Fastify compiles JSON schemas with them, which no route has.
      onResolve({ filter: /^@fastify\/(ajv|fast-json-stringify)-compiler$/ }, ({ path }) => ({
        path,
        namespace: 'compiler',
      }));
      onLoad({ filter: /.*/, namespace: 'compiler' }, () => ({ contents: NO_COMPILER }));
      // zod exports its messages in 60 languages as one object.
      onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
        contents: `export { default as en } from './en.js';`,
      }));
    },
  };
}

async function bundleThread(path, outdir) {
  await build({ ...settings(outdir), write: true, entryPoints: [path], plugins: [sources(outdir)] });
}

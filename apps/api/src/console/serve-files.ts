import { type FileHandle, open, readdir, readFile, stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { GatewayError } from '@sluice/canonical';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** No inline scripts or styles, and no other host. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const SECURITY_HEADERS = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
};

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The build compresses each file in these encodings. */
const ENCODINGS = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
] as const;

const IMMUTABLE = 'public, max-age=31536000, immutable';

const NOT_BUILT = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Sluice console</title>
<h1>The console is not built</h1>
<p>Run <code>npm run build</code>, and reload this page. <code>npm start</code> builds it, too.</p>
</html>
`;

interface Site {
  /** Sizes by path below the folder, with `/` between its parts. */
  sizes: ReadonlyMap<string, number>;
  index: string;
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/**
 * Serves the built console below `/console/`. Reads the list of files with the first request, and again if one of them
 * is removed. Reads no file into memory but the small start page. Only listed files are opened, so that no path leaves
 * the folder.
 */
export function createFileServer(folder: URL): Handler {
  let site: Promise<Site | undefined> | undefined;
  return async (request, reply) => {
    void reply.headers(SECURITY_HEADERS);
    const [path = ''] = request.url.split('?', 1);
    // Relative, because the prefix of a proxy is unknown.
    if (path === '/console') return reply.header('cache-control', 'no-cache').redirect('console/', 308);
    site ??= readSite(folder);
    const files = await site;
    if (!files) {
      site = undefined;
      return reply
        .code(503)
        .header('cache-control', 'no-store')
        .type(TYPES['.html'] ?? '')
        .send(NOT_BUILT);
    }
    const name = path.slice('/console/'.length);
    const stored = findFile(name, files, request);
    if (stored) {
      const handle = await openFile(new URL(stored.path, folder));
      if (handle) return sendFile({ ...stored, name, handle, request, reply });
      // A new build has replaced the files.
      site = undefined;
    }
    if (stored || name.startsWith('assets/') || name.startsWith('api/')) {
      throw new GatewayError(
        'not_found',
        'The console has no such file. Reload the page: it may be of an older version.',
      );
    }
    return sendPage(files.index, name, reply);
  };
}

/** The start page serves all paths of the console's router. Its links are relative to `<base>`. */
function sendPage(index: string, name: string, reply: FastifyReply): FastifyReply {
  const depth = name.split('/').length - 1;
  const base = depth === 0 ? './' : '../'.repeat(depth);
  void reply.header('cache-control', 'no-cache').type(TYPES['.html'] ?? '');
  return reply.send(index.replace('<head>', `<head><base href="${base}">`));
}

interface StoredFile {
  path: string;
  size: number | undefined;
  encoding: string | undefined;
}

/** Finds a file in the best encoding of the client. @returns undefined if the site has no such file */
function findFile(name: string, { sizes }: Site, { headers }: FastifyRequest): StoredFile | undefined {
  if (name === 'index.html' || !sizes.has(name)) return undefined;
  const accepted = headers['accept-encoding'] ?? '';
  const encoding = ENCODINGS.find(({ name: one, suffix }) => accepted.includes(one) && sizes.has(name + suffix));
  const path = name + (encoding?.suffix ?? '');
  return { path, size: sizes.get(path), encoding: encoding?.name };
}

/** @returns undefined if the file no longer exists */
async function openFile(url: URL): Promise<FileHandle | undefined> {
  try {
    return await open(url);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

interface FileResponse extends StoredFile {
  name: string;
  handle: FileHandle;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** Names of files in `assets` contain a hash of their content. */
async function sendFile({ name, size, encoding, handle, request, reply }: FileResponse): Promise<FastifyReply> {
  void reply
    .header('cache-control', name.startsWith('assets/') ? IMMUTABLE : 'no-cache')
    .header('vary', 'accept-encoding')
    .header('content-length', size)
    .type(TYPES[extname(name)] ?? 'application/octet-stream');
  if (encoding !== undefined) void reply.header('content-encoding', encoding);
  if (request.method !== 'HEAD') return reply.send(handle.createReadStream());
  await handle.close();
  return reply.send();
}

async function readSite(folder: URL): Promise<Site | undefined> {
  try {
    const index = await readFile(new URL('index.html', folder), 'utf8');
    const names = await readdir(fileURLToPath(folder), { recursive: true });
    const sizes = await Promise.all(
      names.map(async (name) => {
        const path = name.replaceAll('\\', '/');
        const found = await stat(new URL(path, folder));
        return found.isFile() ? ([[path, found.size]] as const) : [];
      }),
    );
    return { index, sizes: new Map(sizes.flat()) };
  } catch {
    return undefined;
  }
}

import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gatewayErrorOf } from '../http/gateway-error-of.ts';
import { createFileServer } from './serve-files.ts';

let dir: string;
let app: FastifyInstance;
let origin: string;
beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'sluice-site-'));
  app = Fastify();
  app.setErrorHandler((error, _request, reply) => reply.code(gatewayErrorOf(error).status).send());
  const serve = createFileServer(pathToFileURL(`${dir}/`));
  for (const url of ['/console', '/console/*']) app.route({ method: ['GET', 'HEAD'], url, handler: serve });
  origin = await app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(async () => {
  await app.close();
  await rm(dir, { recursive: true });
});

const get = (at: string, init: RequestInit = {}) => fetch(`${origin}/console${at}`, { redirect: 'manual', ...init });

async function buildSite(): Promise<void> {
  await mkdir(path.join(dir, 'assets'), { recursive: true });
  await writeFile(path.join(dir, 'assets/main-x.js'), 'export {};');
  await writeFile(path.join(dir, 'assets/main-x.js.br'), brotliCompressSync('export {};'));
  await writeFile(path.join(dir, 'assets/main-x.js.gz'), gzipSync('export {};'));
  await writeFile(path.join(dir, 'index.html'), '<html><head></head></html>');
}

describe('the console files', () => {
  it('are replaced by a page that says how to build them, until they are built', async () => {
    const missing = await get('/');
    expect([missing.status, await missing.text()]).toEqual([503, expect.stringContaining('npm run build')]);
    await buildSite();
    expect((await get('/')).status).toBe(200);
  });

  it('have a start page for every path, with a base that is relative to it', async () => {
    for (const [at, base] of [
      ['/', './'],
      ['/requests', './'],
      ['/requests/a?x=/y/z', '../'],
      ['/a/b/c', '../../'],
    ] as const) {
      const page = await get(at);
      expect(await page.text(), at).toBe(`<html><head><base href="${base}"></head></html>`);
      expect(page.headers.get('cache-control')).toBe('no-cache');
    }
  });

  it('redirect to the folder with a relative location, for proxies with a prefix', async () => {
    const response = await get('');
    expect([response.status, response.headers.get('location')]).toEqual([308, 'console/']);
  });

  it('are immutable if their names have a hash, and are compressed on request', async () => {
    const plain = await get('/assets/main-x.js', { headers: { 'accept-encoding': 'identity' } });
    expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(plain.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect([plain.headers.get('content-encoding'), await plain.text()]).toEqual([null, 'export {};']);
    const compressed = await get('/assets/main-x.js', { headers: { 'accept-encoding': 'gzip, br' } });
    expect([compressed.headers.get('content-encoding'), await compressed.text()]).toEqual(['br', 'export {};']);
    const zipped = await get('/assets/main-x.js', { headers: { 'accept-encoding': 'gzip' } });
    expect([zipped.headers.get('content-encoding'), await zipped.text()]).toEqual(['gzip', 'export {};']);
    const head = await get('/assets/main-x.js', { method: 'HEAD', headers: { 'accept-encoding': 'identity' } });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '10', '']);
  });

  it('never leave the folder, and a missing one is not the start page', async () => {
    for (const at of ['/assets/missing.js', '/assets/..%2f..%2fetc%2fpasswd', '/api/x']) {
      expect((await get(at)).status, at).toBe(404);
    }
    expect(await (await get('/%2e%2e%2fpackage.json')).text()).toContain('<base');
  });

  it('are not found after a new build has removed them, and the new ones are', async () => {
    await writeFile(path.join(dir, 'index.html'), '<html><head></head>new</html>');
    await rename(path.join(dir, 'assets/main-x.js'), path.join(dir, 'assets/main-y.js'));
    const headers = { 'accept-encoding': 'identity' };
    for (const method of ['GET', 'HEAD', 'GET']) {
      expect((await get('/assets/main-x.js', { method, headers })).status, method).toBe(404);
    }
    expect(await (await get('/')).text()).toContain('new');
    expect(await (await get('/assets/main-y.js', { headers })).text()).toBe('export {};');
  });

  it('allow no inline scripts or styles, no frames, and no other host', async () => {
    const policy = (await get('/')).headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
  });
});

import type { LookupAddress } from 'node:dns';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startNameServer } from '../../../test/name-server.ts';
import { until } from '../../../test/local-server.ts';
import { createGuardedPost } from './guarded-post.ts';
import { type AddressResolverOptions, createAddressResolver } from './resolve-addresses.ts';

function resolver(options: AddressResolverOptions) {
  const resolve = createAddressResolver({ hostsFile: '/nowhere', ...options });
  return (name: string) =>
    new Promise<LookupAddress[]>((found, failed) => {
      resolve(name, (error, addresses) => (error ? failed(error) : found(addresses)));
    });
}

const V6 = Uint8Array.from([0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7]);

describe('address resolver', () => {
  it('finds addresses of both families, or of one', async () => {
    const zone = { 'both.test': { v4: '192.0.2.7', v6: V6 }, 'six.test': { v6: V6 }, 'none.test': {} };
    await using server = await startNameServer(zone);
    const find = resolver({ servers: [server.address] });
    const six = { address: '2001:db8::7', family: 6 };
    expect(await find('Both.test.')).toEqual([{ address: '192.0.2.7', family: 4 }, six]);
    expect(await find('six.test')).toEqual([six]);
    await expect(find('none.test')).rejects.toMatchObject({ code: 'ENODATA' });
    await expect(find('unknown.test')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });

  it('times out a dead name server without delaying other hosts', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `${index}.dead.test`);
    const zone = Object.fromEntries(names.map((name) => [name, 'silent'] as const));
    await using server = await startNameServer({ ...zone, 'good.test': { v4: '192.0.2.7' } });
    const find = resolver({ servers: [server.address], timeoutMs: 3_000 });
    let ended = 0;
    const lookups = names.map((name) => find(name).finally(() => (ended += 1)));
    const all = Promise.allSettled(lookups);
    expect(await find('good.test')).toHaveLength(1);
    expect(ended).toBe(0);
    expect((await all).every(({ status }) => status === 'rejected')).toBe(true);
  });

  it('sends one query at a time per name and caches a failure briefly', async () => {
    await using server = await startNameServer({ 'good.test': { v4: '192.0.2.7' } });
    let now = 0;
    const find = resolver({ servers: [server.address], failureMs: 1_000, now: () => now });
    await Promise.all([find('good.test'), find('good.test'), find('GOOD.test')]);
    expect(server.queries.toSorted()).toEqual(['A good.test', 'AAAA good.test']);
    for (let tries = 0; tries < 3; tries += 1) await expect(find('unknown.test')).rejects.toThrow('ENOTFOUND');
    expect(server.queries.filter((request) => request === 'A unknown.test')).toHaveLength(1);
    now = 1_000;
    await expect(find('unknown.test')).rejects.toThrow('ENOTFOUND');
    expect(server.queries.filter((request) => request === 'A unknown.test')).toHaveLength(2);
    // A second lookup is sent, because successful lookups are not cached.
    await find('good.test');
    expect(server.queries.filter((request) => request === 'A good.test')).toHaveLength(2);
  });

  it('uses the hosts file before any server', async () => {
    await using server = await startNameServer({});
    const folder = await mkdtemp(join(tmpdir(), 'hosts-'));
    const hostsFile = join(folder, 'hosts');
    await writeFile(
      hostsFile,
      '# 192.0.2.1 pinned.test\n192.0.2.9\tother Pinned.test # ours\n2001:db8::9 pinned.test\n',
    );
    const find = resolver({ servers: [server.address], hostsFile });
    expect(await find('pinned.test')).toEqual([
      { address: '192.0.2.9', family: 4 },
      { address: '2001:db8::9', family: 6 },
    ]);
    expect((await find('localhost'))[0]).toEqual({ address: '127.0.0.1', family: 4 });
    expect((await find('x.localhost'))[0]).toEqual({ address: '127.0.0.1', family: 4 });
    expect(server.queries).toEqual([]);
    await rm(folder, { recursive: true });
  });
});

it('lets other posts pass while hosts with a dead name server time out', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `${index}.dead.test`);
  const zone = Object.fromEntries(names.map((name) => [name, 'silent'] as const));
  await using server = await startNameServer({ ...zone, 'good.test': { v4: '10.0.0.1' } });
  const resolve = createAddressResolver({ servers: [server.address], timeoutMs: 8_000 });
  const poster = createGuardedPost({ allowOrigins: [], timeoutMs: 4_000, resolve });
  const signal = new AbortController().signal;
  const post = (host: string) => poster.post(`https://${host}/`, { headers: {}, body: '{}', signal });
  const lookups = Promise.all(names.map(post));
  await until(() => server.queries.length >= names.length);
  expect(await post('good.test')).toEqual({ failure: 'forbidden_address' });
  expect(await lookups).toEqual(names.map(() => ({ failure: 'timeout' })));
  await poster.close();
});

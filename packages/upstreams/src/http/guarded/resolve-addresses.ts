import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { callbackify } from 'node:util';
import { isLocalName } from './public-address.ts';

/** Resolves a name to all of its addresses. */
export type ResolveAddresses = (
  hostname: string,
  done: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

export interface AddressResolverOptions {
  /** Name servers as `address:port`; default: the system's. */
  servers?: readonly string[];
  hostsFile?: string;
  /** Timeout of one lookup, in milliseconds. */
  timeoutMs?: number;
  /** How long a failure is cached, in milliseconds. */
  failureMs?: number;
  /** A clock in milliseconds; default: the system's. */
  now?: () => number;
}

const LOOPBACK: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];
const MAX_FAILURES = 1_000;
const TRIES = 2;

/**
 * Creates the resolver for clients' host names. It reads the hosts file and then queries the system's name servers over
 * sockets. `dns.lookup` would block one of a few threads per lookup, so a dozen names on an unresponsive server would
 * block all lookups. Concurrent lookups of the same name share one query. Failures are cached briefly.
 */
export function createAddressResolver(options: AddressResolverOptions = {}): ResolveAddresses {
  const { servers, hostsFile = '/etc/hosts', timeoutMs = 5_000, failureMs = 3_000, now = Date.now } = options;
  const inFlight = new Map<string, Promise<LookupAddress[]>>();
  const failures = new Map<string, { error: Error; until: number }>();

  async function query(name: string): Promise<LookupAddress[]> {
    const here = await localAddresses(name, hostsFile);
    if (here.length > 0) return here;
    // Use one resolver per lookup, so that canceling one lookup does not affect others.
    const resolver = new Resolver({ timeout: Math.ceil(timeoutMs / TRIES), tries: TRIES });
    if (servers) resolver.setServers(servers);
    const timer = setTimeout(() => resolver.cancel(), timeoutMs);
    try {
      const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
      if (four.status === 'rejected' && six.status === 'rejected') throw four.reason;
      return [
        ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 })) : []),
        ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 })) : []),
      ];
    } finally {
      clearTimeout(timer);
    }
  }

  function remember(name: string, error: Error): void {
    failures.delete(name);
    for (const oldest of failures.keys()) {
      if (failures.size < MAX_FAILURES) break;
      failures.delete(oldest);
    }
    failures.set(name, { error, until: now() + failureMs });
  }

  function find(name: string): Promise<LookupAddress[]> {
    const failed = failures.get(name);
    if (failed && failed.until > now()) return Promise.reject(failed.error);
    const waiting = inFlight.get(name);
    if (waiting) return waiting;
    const pending = query(name)
      .catch((cause: unknown) => {
        const error = cause instanceof Error ? cause : new Error('the name could not be looked up', { cause });
        remember(name, error);
        throw error;
      })
      .finally(() => inFlight.delete(name));
    inFlight.set(name, pending);
    return pending;
  }

  const findThen = callbackify(find);
  return (hostname, done) => {
    findThen(hostname.toLowerCase().replace(/\.$/, ''), (error, addresses) => done(error, error ? [] : addresses));
  };
}

/** Returns addresses that are known without a query: `localhost` (RFC 6761) and names in the hosts file. */
async function localAddresses(name: string, hostsFile: string): Promise<LookupAddress[]> {
  if (isLocalName(name)) return [...LOOPBACK];
  const lines = (await readFile(hostsFile, 'utf8').catch(() => '')).split('\n');
  return lines.flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    const family = isIP(address);
    return family !== 0 && names.some((one) => one.toLowerCase() === name) ? [{ address, family }] : [];
  });
}

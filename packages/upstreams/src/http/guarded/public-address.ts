import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** IPv6 global unicast addresses (RFC 4291). All other addresses (e.g. `::7f00:1`) are special or unassigned. */
const IPV6_GLOBAL = ipaddr.parseCIDR('2000::/3');

/**
 * Whether an IP address is on the public internet. An IPv4-mapped address is treated as its IPv4 address. NAT64, 6to4,
 * Teredo, private, shared, link-local, reserved, and invalid addresses are not public.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || address.match(IPV6_GLOBAL);
}

/** Whether a name always resolves to the local machine (RFC 6761). */
export function isLocalName(name: string): boolean {
  return /(^|\.)localhost\.?$/i.test(name);
}

/**
 * Whether a URL's host can be public, without a DNS lookup. An IP address must be public, and a name must not be local.
 * The connector later checks the addresses that a name resolves to.
 * @param hostname as returned by `URL.hostname`
 */
export function mayBePublicHost(hostname: string): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(host) === 0 ? !isLocalName(host) : isPublicAddress(host);
}

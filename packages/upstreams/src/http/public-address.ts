import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** All of global unicast in IPv6 (RFC 4291); anything outside, such as `::7f00:1`, is special or unassigned. */
const IPV6_GLOBAL = ipaddr.parseCIDR('2000::/3');

/**
 * Tells whether an IP address belongs to the public internet. IPv4-mapped addresses count as the IPv4 address in them;
 * NAT64, 6to4, Teredo, private, shared, link-local and every reserved range are not public, nor is what is no address.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || address.match(IPV6_GLOBAL);
}

/** Tells whether a name is this machine's own by definition (RFC 6761). */
export function isLocalName(name: string): boolean {
  return /(^|\.)localhost\.?$/i.test(name);
}

/**
 * Tells of a URL's host, without looking anything up, whether it may lead to the public internet: an address must be a
 * public one, and a name must not be this machine's own. What other names lead to is seen when they are connected to.
 * @param hostname as `URL.hostname` spells it
 */
export function mayBePublicHost(hostname: string): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(host) === 0 ? !isLocalName(host) : isPublicAddress(host);
}

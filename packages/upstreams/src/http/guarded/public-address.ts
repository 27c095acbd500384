import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Global unicast of IPv6 (RFC 4291). Anything outside, such as `::7f00:1`, is special or unassigned. */
const IPV6_GLOBAL = ipaddr.parseCIDR('2000::/3');

/**
 * Whether an IP address is on the public internet. An IPv4-mapped address counts as its IPv4 address. NAT64, 6to4,
 * Teredo, private, shared, link-local, and reserved ranges are not public, nor are invalid addresses.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || address.match(IPV6_GLOBAL);
}

/** Whether a name always means this machine (RFC 6761). */
export function isLocalName(name: string): boolean {
  return /(^|\.)localhost\.?$/i.test(name);
}

/**
 * Whether a URL's host may be public, without a lookup: addresses must be public, and names must not be local. The
 * connector checks the addresses of other names.
 * @param hostname as `URL.hostname` returns it
 */
export function mayBePublicHost(hostname: string): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(host) === 0 ? !isLocalName(host) : isPublicAddress(host);
}

import { describe, expect, it } from 'vitest';
import { FORBIDDEN_HOSTS } from '../../../test/forbidden-addresses.ts';
import { isPublicAddress, mayBePublicHost } from './public-address.ts';

describe('isPublicAddress', () => {
  it.each(['93.184.216.34', '8.8.8.8', '2606:4700:4700::1111', '::ffff:8.8.8.8'])('accepts %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    ['0.0.0.0', '127.0.0.1', '127.8.8.8', '10.1.2.3', '172.16.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1'],
    ['100.100.100.200', '192.0.0.1', '192.0.2.1', '198.18.0.1', '224.0.0.1', '240.0.0.1', '255.255.255.255'],
    ['::', '::1', '::7f00:1', '::ffff:127.0.0.1', '::ffff:a00:1', 'fe80::1', 'fe80::1%eth0', 'fec0::1', 'fc00::1'],
    ['fd00:ec2::254', '64:ff9b::7f00:1', '64:ff9b::808:808', '64:ff9b:1::1', '2002:7f00:1::', '2001::1', 'ff02::1'],
    ['2001:db8::1', '3fff::1', '5f00::1', '100::1', '', 'localhost', 'nonsense'],
  ])('refuses %s and similar addresses', (...addresses) => {
    expect(addresses.filter(isPublicAddress)).toEqual([]);
  });
});

describe('mayBePublicHost', () => {
  it.each([...FORBIDDEN_HOSTS, 'localhost.', 'app.localhost', 'App.LocalHost.'])(
    'refuses %s without a lookup',
    (host) => {
      expect(mayBePublicHost(new URL(`https://${host}/`).hostname)).toBe(false);
    },
  );

  it.each(['client.test', 'localhost.test', 'mylocalhost', 'redis', '8.8.8.8', '[2606:4700:4700::1111]'])(
    'leaves %s to the connector',
    (host) => {
      expect(mayBePublicHost(new URL(`https://${host}/`).hostname)).toBe(true);
    },
  );
});

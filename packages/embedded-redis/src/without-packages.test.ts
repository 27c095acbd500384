import { describe, expect, it } from 'vitest';
import { withoutPackages } from './without-packages.ts';

describe('withoutPackages', () => {
  it("removes the named packages from a copy of dpkg's status, and nothing else", () => {
    const status = 'Package: libc6\nStatus: ok\n\nPackage: redis-tools\nStatus: ok\n\nPackage: redis-sentinel-doc\n';
    expect(withoutPackages(status, /^redis(?:-tools)?$/)).toBe(
      'Package: libc6\nStatus: ok\n\nPackage: redis-sentinel-doc\n',
    );
  });
});

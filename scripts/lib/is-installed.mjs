import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Whether node_modules contains the locked packages. npm writes `node_modules/.package-lock.json` as the last step of
 * an install. An interrupted install therefore does not have this file, and every complete install does.
 */
export function isInstalled(root, withDev) {
  try {
    const locked = readPackages(join(root, 'package-lock.json'));
    const present = readPackages(join(root, 'node_modules/.package-lock.json'));
    return Object.entries(locked).every(([path, entry]) => {
      if (!path.includes('node_modules/')) return true;
      // Optional packages of other platforms are not installed.
      if (entry.optional || entry.devOptional || (entry.dev && !withDev)) return true;
      const installed = present[path];
      return installed !== undefined && installed.version === entry.version && installed.integrity === entry.integrity;
    });
  } catch {
    return false;
  }
}

function readPackages(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages;
}

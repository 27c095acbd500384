export const REQUIRED_NODE = '22.21, 24.9, or newer';

/**
 * Whether a Node version runs Sluice. It must strip types and support `shouldUpgradeCallback` of HTTP servers (22.21
 * and 24.9; never in 23). @param {string} version such as `22.21.0`
 */
export function runsSluice(version) {
  const [major, minor] = version.split('.').map(Number);
  if (major === 22) return minor >= 21;
  return major > 24 || (major === 24 && minor >= 9);
}

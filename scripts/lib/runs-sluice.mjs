export const REQUIRED_NODE = '22.21, 24.9, or newer';

/** Sluice needs type stripping and the HTTP server option `shouldUpgradeCallback` (22.21 and 24.9, never in 23). */
export function runsSluice(version) {
  const [major, minor] = version.split('.').map(Number);
  if (major === 22) return minor >= 21;
  return major > 24 || (major === 24 && minor >= 9);
}

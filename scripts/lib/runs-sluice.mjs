/** What {@link runsSluice} wants, for people. */
export const WANTED_NODE = '22.21, 24.9 or newer';

/**
 * Tells whether a Node of this version runs Sluice: our TypeScript sources as they are, and a server that may decide which
 * requests become web sockets (`shouldUpgradeCallback`, from 22.21 and 24.9; 23 never got it).
 *
 * @param {string} version such as `22.21.0`
 */
export function runsSluice(version) {
  const [major, minor] = version.split('.').map(Number);
  if (major === 22) return minor >= 21;
  return major > 24 || (major === 24 && minor >= 9);
}

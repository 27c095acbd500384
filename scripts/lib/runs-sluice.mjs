/**
 * Tells whether a Node of this version runs our TypeScript sources as they are.
 *
 * @param {string} version such as `22.19.0`
 */
export function runsSluice(version) {
  const [major, minor] = version.split('.').map(Number);
  // 23 learned to strip types without a flag in 23.6.
  if (major === 23) return minor >= 6;
  return major > 22 || (major === 22 && minor >= 19);
}

/**
 * What is wrong with a package-lock.json, one sentence each.
 *
 * npm writes a lock without the entries of optional platform packages that its registry happens to lack, and
 * neither `npm ci` nor its dry run notices with workspaces: users of another platform then get a broken install.
 *
 * @param {{ packages: Record<string, { resolved?: string, link?: boolean, optionalDependencies?: Record<string, string> }> }} lock
 * @returns {string[]}
 */
export function lockProblems(lock) {
  const faults = [];
  for (const [path, entry] of Object.entries(lock.packages)) {
    for (const name of Object.keys(entry.optionalDependencies ?? {})) {
      if (!isReachable(lock, path, name)) faults.push(`${path || 'the root'} lacks its optional dependency ${name}`);
    }
    if (!entry.link && /^\w+:\/\//.test(entry.resolved ?? ''))
      faults.push(`${path} names a registry: ${entry.resolved}`);
  }
  return faults;
}

/** Walks up the folders as Node does when it resolves a package. */
function isReachable(lock, path, name) {
  for (let folder = path; ;) {
    if (lock.packages[`${folder ? `${folder}/` : ''}node_modules/${name}`]) return true;
    if (!folder) return false;
    const at = folder.lastIndexOf('/node_modules/');
    folder = at >= 0 ? folder.slice(0, at) : '';
  }
}

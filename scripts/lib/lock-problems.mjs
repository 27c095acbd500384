/**
 * Problems of a package-lock.json, one sentence each. npm omits optional platform packages that its registry lacks, and
 * neither `npm ci` nor its dry run detects this in workspaces. Users of another platform then get a broken install.
 */
export function lockProblems(lock) {
  const problems = [];
  for (const [path, entry] of Object.entries(lock.packages)) {
    for (const name of Object.keys(entry.optionalDependencies ?? {})) {
      if (!isReachable(lock, path, name)) problems.push(`${path || 'the root'} lacks its optional dependency ${name}`);
    }
    if (!entry.link && /^\w+:\/\//.test(entry.resolved ?? ''))
      problems.push(`${path} contains a registry URL: ${entry.resolved}`);
  }
  return problems;
}

/** Walks up the folders as Node's module resolution does. */
function isReachable(lock, path, name) {
  for (let folder = path; ;) {
    if (lock.packages[`${folder ? `${folder}/` : ''}node_modules/${name}`]) return true;
    if (!folder) return false;
    const at = folder.lastIndexOf('/node_modules/');
    folder = at >= 0 ? folder.slice(0, at) : '';
  }
}

/**
 * Returns the problems of a package-lock.json, as one sentence per problem. If npm's registry lacks optional packages
 * of other platforms, npm omits them from the file. In workspaces, neither `npm ci` nor its dry run detects this. Users
 * of another platform then get a broken install.
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

/** Searches the parent folders, as Node's module resolution does. */
function isReachable(lock, path, name) {
  for (let folder = path; ;) {
    if (lock.packages[`${folder ? `${folder}/` : ''}node_modules/${name}`]) return true;
    if (!folder) return false;
    const at = folder.lastIndexOf('/node_modules/');
    folder = at >= 0 ? folder.slice(0, at) : '';
  }
}

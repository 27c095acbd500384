import { parseSync } from 'oxc-parser';
import { posix } from 'node:path';

/** Returns the paths of a module's relative imports, including type-only imports and `import('…')` types. */
export function importsOf(path, source) {
  const { module } = parseSync(path, source);
  const targets = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) => entries.map(({ moduleRequest }) => moduleRequest?.value)),
    ...Array.from(source.matchAll(/\bimport\('([^']+)'\)/g), ([, target]) => target),
  ];
  const relative = targets.filter((target) => target?.startsWith('.'));
  return [...new Set(relative.map((target) => posix.join(posix.dirname(path), target)))];
}

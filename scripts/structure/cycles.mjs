import { posix } from 'node:path';
import { workspaceOf } from '../lib/source-files.mjs';

/** @typedef {Map<string, string[]>} Graph maps each node to the nodes that it imports */

/** Returns the strongly connected components with more than one node (Tarjan's algorithm). @param {Graph} graph */
export function cyclesOf(graph) {
  const indexes = new Map();
  const lowest = new Map();
  const stack = [];
  const cycles = [];
  const visit = (node) => {
    const index = indexes.size;
    indexes.set(node, index);
    lowest.set(node, index);
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!indexes.has(next)) visit(next);
      if (stack.includes(next)) lowest.set(node, Math.min(lowest.get(node), lowest.get(next)));
    }
    if (lowest.get(node) !== index) return;
    const component = stack.splice(stack.indexOf(node));
    if (component.length > 1) cycles.push(component.toSorted((a, b) => (a < b ? -1 : 1)));
  };
  for (const node of graph.keys()) if (!indexes.has(node)) visit(node);
  return cycles;
}

/** Returns the imports between the folders of each workspace. A folder and its subfolder are two folders. */
export function folderGraph(files) {
  const folders = new Map();
  for (const [path, targets] of files) {
    const folder = posix.dirname(path);
    for (const target of targets) {
      const other = posix.dirname(target);
      if (workspaceOf(other) !== workspaceOf(folder) || other === folder) continue;
      folders.set(folder, [...new Set([...(folders.get(folder) ?? []), other])]);
    }
  }
  return folders;
}

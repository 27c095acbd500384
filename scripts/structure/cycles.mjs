import { posix } from 'node:path';
import { workspaceOf } from '../lib/source-files.mjs';

/** @typedef {Map<string, string[]>} Graph node → nodes it imports */

/** Strongly connected components of more than one node, by Tarjan's algorithm. @param {Graph} graph */
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

/** Imports between folders of one workspace. A folder may import its subfolders and be imported by them. */
export function folderGraph(files) {
  const folders = new Map();
  for (const [path, targets] of files) {
    const folder = posix.dirname(path);
    for (const target of targets) {
      const other = posix.dirname(target);
      if (workspaceOf(other) !== workspaceOf(folder) || contains(folder, other) || contains(other, folder)) continue;
      folders.set(folder, [...new Set([...(folders.get(folder) ?? []), other])]);
    }
  }
  return folders;
}

const contains = (folder, other) => `${other}/`.startsWith(`${folder}/`);

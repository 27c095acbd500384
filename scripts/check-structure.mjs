// `npm run structure`: checks import cycles, the number of files per folder, and the share of comments.
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { ROOT } from './lib/root.mjs';
import { isTest, sourceFiles, workspaceOf } from './lib/source-files.mjs';
import { countLines } from './structure/comment-share.mjs';
import { cyclesOf, folderGraph } from './structure/cycles.mjs';
import { importsOf } from './structure/imports.mjs';

const MAX_FILES = 20;
const MAX_COMMENTS = 0.1;

const problems = [];
const imports = new Map();
const filesIn = new Map();
const lines = new Map([['all', { lines: 0, comments: 0 }]]);

for (const path of sourceFiles(/\.(ts|mjs|lua)$/)) {
  if (isTest(path)) continue;
  const folder = posix.dirname(path);
  filesIn.set(folder, (filesIn.get(folder) ?? 0) + 1);
  if (path.endsWith('.lua')) continue;
  const source = readFileSync(join(ROOT, path), 'utf8');
  imports.set(path, importsOf(path, source));
  const counted = countLines(path, source);
  for (const key of ['all', workspaceOf(path)]) {
    const sum = lines.get(key) ?? { lines: 0, comments: 0 };
    lines.set(key, { lines: sum.lines + counted.lines, comments: sum.comments + counted.comments });
  }
}

for (const cycle of cyclesOf(imports)) problems.push(`files import each other: ${cycle.join(', ')}`);
for (const cycle of cyclesOf(folderGraph(imports))) problems.push(`folders import each other: ${cycle.join(', ')}`);
for (const [folder, count] of filesIn)
  if (count > MAX_FILES) problems.push(`${folder} has ${count} source files; at most ${MAX_FILES} are allowed`);

for (const [workspace, sum] of lines)
  console.log(`${workspace}: ${((100 * sum.comments) / sum.lines).toFixed(1)} % comments of ${sum.lines} lines`);
const { comments, lines: total } = lines.get('all');
if (comments > MAX_COMMENTS * total)
  problems.push(`${comments} of ${total} lines are comments; at most ${100 * MAX_COMMENTS} % are allowed`);

for (const problem of problems) console.error(`✗ ${problem}`);
console.log(`${problems.length} problems of structure`);
if (problems.length > 0) process.exit(1);

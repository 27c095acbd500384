// `npm run language`: finds rejected words in docs, comments, messages, and test titles, and finds commit subjects that
// are too long. `npm run language -- --counts` prints the number of findings per package. Paths after the options
// restrict the check.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { longSubjects, recentSubjects } from './language/commit-subjects.mjs';
import { countLongSentences } from './language/long-sentences.mjs';
import { proseOf } from './language/prose.mjs';
import { rejectedWords, rejectionRules } from './language/rejected-words.mjs';
import { ROOT } from './lib/root.mjs';
import { sourceFiles, workspaceOf } from './lib/source-files.mjs';

const CHECKED = /\.(ts|mjs|lua|ya?ml|sh|md)$|(^|\/)Dockerfile$|^\.ci\/run$/;
const EVERYWHERE = ['packages', 'apps', 'e2e', 'bench', 'scripts', 'docs', '.ci', '.'];

const options = process.argv.slice(2).filter((argument) => argument.startsWith('--'));
const restricted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const paths = sourceFiles(CHECKED, EVERYWHERE).filter(
  (path) => restricted.length === 0 || restricted.some((prefix) => path.startsWith(prefix)),
);

const rules = rejectionRules();
const hits = [];
let longSentences = 0;
for (const path of paths) {
  for (const prose of proseOf(path, readFileSync(join(ROOT, path), 'utf8'))) {
    hits.push(...rejectedWords(path, prose, rules));
    if (prose.kind === 'docs') longSentences += countLongSentences(prose.text);
  }
}

if (options.includes('--counts')) {
  const counts = new Map();
  for (const { path } of hits) counts.set(workspaceOf(path), (counts.get(workspaceOf(path)) ?? 0) + 1);
  for (const [workspace, count] of counts) console.log(`${workspace}: ${count}`);
} else {
  for (const { path, line, words, use } of hits) console.error(`✗ ${path}:${line} "${words}": ${use}`);
}
const subjects = longSubjects(recentSubjects(ROOT));
for (const subject of subjects) console.error(`✗ commit subject of ${subject.length} characters: ${subject}`);
if (longSentences > 0) console.log(`${longSentences} sentences of docs have more than 30 words`);
console.log(`${hits.length} rejected words, ${subjects.length} long commit subjects`);
if (hits.length > 0 || subjects.length > 0) process.exit(1);

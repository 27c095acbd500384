// `npm run lint:lua`: parses all Lua scripts and checks that their includes exist.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'luaparse';

const INCLUDE = /^--- @include "([\w/-]+)"$/gm;

const sources = ['packages', 'apps'].flatMap((root) => readdirSync(root).map((name) => path.join(root, name, 'src')));
const files = sources
  .filter((folder) => existsSync(folder))
  .flatMap((folder) => readdirSync(folder, { recursive: true }).map((file) => path.join(folder, file)))
  .filter((file) => file.endsWith('.lua'));
const folders = new Set(files.map((file) => file.replace(/\/lua\/.*$/, '/lua')));
const problems = files.flatMap((file) => {
  const text = readFileSync(file, 'utf8');
  const missing = [...text.matchAll(INCLUDE)]
    .filter(([, name]) => ![...folders].some((folder) => existsSync(path.join(folder, `${name}.lua`))))
    .map(([, name]) => `${file}: \`${name}\` does not exist.`);
  try {
    parse(text, { luaVersion: '5.1' });
    return missing;
  } catch (error) {
    return [...missing, `${file}: ${error.message}`];
  }
});
for (const problem of problems) console.error(`✗ ${problem}`);
if (files.length === 0 || problems.length > 0) process.exit(1);
console.log(`${files.length} Lua scripts are valid`);

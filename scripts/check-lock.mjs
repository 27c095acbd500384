import { readFileSync } from 'node:fs';
import { lockProblems } from './lib/lock-problems.mjs';

const lock = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'));
const problems = lockProblems(lock);
for (const problem of problems) console.error(`✗ package-lock.json: ${problem}`);
if (problems.length > 0) process.exit(1);
console.log('package-lock.json is complete');

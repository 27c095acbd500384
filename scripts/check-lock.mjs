import { readFileSync } from 'node:fs';
import { lockProblems } from './lib/lock-problems.mjs';

const lock = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'));
const faults = lockProblems(lock);
for (const fault of faults) console.error(`✗ package-lock.json: ${fault}`);
if (faults.length > 0) process.exit(1);
console.log('package-lock.json is complete');

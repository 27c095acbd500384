import { readFileSync } from 'node:fs';
import { lockFaults } from './lib/lock-faults.mjs';

const lock = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'));
const faults = lockFaults(lock);
for (const fault of faults) console.error(`✗ package-lock.json: ${fault}`);
if (faults.length > 0) process.exit(1);
console.log('package-lock.json is whole');

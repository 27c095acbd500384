// Builds the console if its sources have changed.
import { buildConsole, isConsoleBuilt } from './lib/build-console.mjs';
import { ROOT } from './lib/root.mjs';

if (!isConsoleBuilt(ROOT)) await buildConsole(ROOT);

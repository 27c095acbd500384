import { expect, it } from 'vitest';
import { countLines } from './comment-share.mjs';

it('countLines counts lines of comments only, without blank lines', () => {
  const source = '/**\n * One.\n *\n */\nconst a = 1; // Beside code.\n\n// Two.\nconst b = "// no comment";\n';
  expect(countLines('a.ts', source)).toEqual({ lines: 7, comments: 5 });
});

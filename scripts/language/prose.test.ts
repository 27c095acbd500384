import { describe, expect, it } from 'vitest';
import { proseOf } from './prose.mjs';

/** Returns the file's prose as `kind line: text`, with collapsed whitespace. */
const read = (path: string, source: string) =>
  proseOf(path, source).map(({ kind, line, text }) => `${kind} ${line}: ${text.replaceAll(/\s+/g, ' ').trim()}`);

describe('proseOf', () => {
  it('reads comments, messages, and test titles of a script', () => {
    const source = [
      "import { open } from 'the other file';",
      '// A first line',
      '// and a second.',
      "const name = 'word'; // After code.",
      'throw new Error(`No route to ${name} is open`);',
      "it.each([1, 2])('takes %d values', () => {});",
    ].join('\n');
    expect(read('source.ts', source)).toEqual([
      'comment 2: A first line and a second.',
      'comment 4: After code.',
      'message 5: No route to is open',
      'title 6: takes %d values',
    ]);
  });

  it('skips data of tests, and code in templates', () => {
    expect(read('x.test.ts', "send('a film of a cat');")).toEqual([]);
    expect(read('script.ts', "const lua = `local x = 1 redis.call('GET', KEYS[1])`;")).toEqual([]);
  });

  it('skips names in backticks, code blocks, and link targets of Markdown', () => {
    const source = '# Title\n\nSee `wish` and [text](wish.md).\n\n```sh\nwish\n```\n\nEnd.\n';
    expect(read('page.md', source)).toEqual(['docs 1: # Title See and [text . End.']);
  });

  it('reads comments of YAML, shell, and Lua', () => {
    expect(read('a.yaml', 'a: "#1"\n# One\n# two\nb: 2 # three')).toEqual(['comment 2: One two', 'comment 4: three']);
    expect(read('a.sh', '#!/bin/sh\n# One')).toEqual(['comment 2: One']);
    expect(read('a.lua', 'local a = 1 -- One')).toEqual(['comment 1: One']);
  });
});

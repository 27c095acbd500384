import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { scriptLoader } from './script-loader.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'scripts-'));
});
afterEach(() => rmSync(root, { recursive: true }));

function folder(name: string, scripts: Record<string, string>): URL {
  for (const [script, text] of Object.entries(scripts)) {
    const file = path.join(root, name, `${script}.lua`);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return new URL(`${pathToFileURL(path.join(root, name)).href}/`);
}

describe('scriptLoader', () => {
  it('replaces an include by the text of the script', () => {
    const load = scriptLoader(
      folder('a', {
        main: '--- @include "includes/one"\nreturn one()\n',
        'includes/one': 'local function one() end\n',
      }),
    );
    expect(load('main')).toBe('local function one() end\n\nreturn one()\n');
  });

  it('includes a script once even if several scripts include it', () => {
    const load = scriptLoader(
      folder('a', {
        main: '--- @include "b"\n--- @include "c"\n',
        b: '--- @include "d"\nB',
        c: '--- @include "d"\nC',
        d: 'D',
      }),
    );
    expect(load('main').replaceAll('\n', '')).toBe('DBC');
  });

  it('keeps `$&` and other replacement patterns of a script', () => {
    const load = scriptLoader(folder('a', { main: '--- @include "b"', b: "return '$&$1'" }));
    expect(load('main')).toBe("return '$&$1'");
  });

  it('prefers the first folder that has a script', () => {
    const own = folder('own', { main: '--- @include "shared"\n--- @include "both"', both: 'own' });
    const other = folder('other', { shared: 'other', both: 'other' });
    expect(scriptLoader(own, other)('main')).toBe('other\nown');
  });

  it('throws when an included script does not exist', () => {
    const load = scriptLoader(folder('a', { main: '--- @include "missing"' }));
    expect(() => load('main')).toThrow('Lua script `missing` does not exist.');
  });
});

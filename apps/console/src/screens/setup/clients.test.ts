import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CLIENTS } from './clients.ts';

const pageOf = (name: string): string =>
  readFileSync(new URL(`../../../../../docs/use/${name}.md`, import.meta.url), 'utf8');
const AGENTS = new Set(['claude-code', 'codex', 'gemini-cli']);
/** Names of variables and settings, which begin a line. */
const NAMES = /^(?:export )?([A-Za-z_]+) ?=|^\[(.+)\]$/gm;

describe('settings of coding agents', () => {
  it.each(CLIENTS.filter(({ name }) => AGENTS.has(name)))(
    'for $title have the names of the documentation',
    ({ parts }) => {
      const code = parts({ origin: 'https://gateway.example', model: 'm' })
        .map((part) => part.code)
        .join('\n');
      const names = [...code.matchAll(NAMES)].map(([, variable, section]) => variable ?? section ?? '');
      expect(names.length).toBeGreaterThan(1);
      expect(names.filter((name) => !pageOf('agents').includes(name))).toEqual([]);
    },
  );
});

import { describe, expect, it } from 'vitest';
import { ConfigError } from '../issues/config-error.ts';
import { parseYamlSource } from './yaml-source.ts';

function messageOf(text: string): string {
  try {
    parseYamlSource('s.yaml', text);
    return '';
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return error instanceof Error ? error.message : '';
  }
}

describe('parseYamlSource', () => {
  const source = parseYamlSource('s.yaml', '# first\na:\n  b: [x, { c: 1 }]\nd: &d\n  e: 2\nf: *d\ng:\n');

  it('returns plain values and resolves aliases', () => {
    expect(source.value).toEqual({ a: { b: ['x', { c: 1 }] }, d: { e: 2 }, f: { e: 2 }, g: null });
  });

  it.each([
    [['a'], 'key', '2:1'],
    [['a', 'b'], 'value', '3:6'],
    [['a', 'b', 1, 'c'], 'key', '3:12'],
    [['a', 'b', 1, 'c'], 'value', '3:15'],
    [['f', 'e'], 'value', '5:6'],
  ] as const)('locates %j (%s) at %s', (path, part, place) => {
    expect(source.where(path, part)).toBe(`s.yaml:${place}`);
  });

  it('locates an absent field at the nearest section', () => {
    expect(source.where(['a', 'nope', 'x'], 'value')).toBe('s.yaml:3:3');
    expect(source.where(['nope'], 'value')).toBe('s.yaml:2:1');
    expect(parseYamlSource('s.yaml', '').where(['a'], 'key')).toBe('s.yaml:1:1');
  });

  it('reports a duplicate field with its path', () => {
    expect(messageOf('m:\n  - r: 1\n    r: 2\n')).toBe('s.yaml:3:5 m[0].r: appears twice; keep one of them.');
  });

  it('reports only the first syntax error, with a remedy', () => {
    expect(messageOf('a: [1\nb: }')).toMatch(/^s\.yaml:\d:\d: [^\n]+; [^\n]+$/);
  });

  it('reports a reference that needs quotes because YAML reads a section', () => {
    expect(messageOf('a: { b: ${C} }')).toBe(
      's.yaml:1:10: a `${` here is read as the start of a section; put it in quotes.',
    );
  });

  it('rejects unknown tags and aliases that would exhaust memory', () => {
    expect(messageOf('a: !what 1')).toContain('!what');
    const bomb = [
      'a0: &a0 [x, x]',
      ...Array.from({ length: 9 }, (_, i) => `a${i + 1}: &a${i + 1} [${`*a${i}, `.repeat(9)}]`),
    ];
    expect(messageOf(bomb.join('\n'))).toContain('alias');
  });
});

import { describe, expect, it } from 'vitest';
import { expandEnvironment, pathKey } from './expand-environment.ts';

describe('expandEnvironment', () => {
  const env = { HOST: 'example.org', PORT: '99', EMPTY: '' };

  it.each([
    ['${HOST}', 'example.org'],
    ['https://${HOST}:${PORT}/v1', 'https://example.org:99/v1'],
    ['${NOPE:-fallback}', 'fallback'],
    ['${NOPE:-}', ''],
    ['${NOPE:-http://127.0.0.1:1}/v1', 'http://127.0.0.1:1/v1'],
    ['${EMPTY:-fallback}', 'fallback'],
    ['${HOST:-fallback}', 'example.org'],
    ['$${HOST}', '${HOST}'],
    ['$HOST and 5$', '$HOST and 5$'],
  ])('expands %s to %j', (text, expected) => {
    expect(expandEnvironment({ text }, env)).toMatchObject({ value: { text: expected }, unset: [], malformed: [] });
  });

  it("does not expand a variable's value again", () => {
    expect(expandEnvironment('${A}', { A: '${B}', B: 'no' }).value).toBe('${B}');
  });

  it('keeps names, numbers, and booleans, and drops null', () => {
    const value = { '${HOST}': 1, list: [true, '${PORT}'], nothing: null };
    expect(expandEnvironment(value, env).value).toEqual({ '${HOST}': 1, list: [true, '99'] });
  });

  it('drops and reports fields whose variable is unset or empty', () => {
    const { value, unset } = expandEnvironment({ a: { b: 'x${NOPE}', c: '${EMPTY}' } }, env);
    expect(value).toEqual({ a: {} });
    expect(unset).toEqual([
      { path: ['a', 'b'], variable: 'NOPE' },
      { path: ['a', 'c'], variable: 'EMPTY' },
    ]);
  });

  it.each(['${', '${HOST', '${}', '${1A}', '${HOST-x}', '${HO ST}'])('reports %s as malformed', (text) => {
    expect(expandEnvironment([text], env).malformed).toEqual([[0]]);
  });

  it('reports the variables of a field', () => {
    const { variables } = expandEnvironment({ a: ['${HOST}${NOPE:-1}'] }, env);
    expect(variables.get(pathKey(['a', 0]))).toEqual(['HOST', 'NOPE']);
  });

  it('rejects a circular value', () => {
    const ring: unknown[] = [];
    ring.push(ring);
    expect(() => expandEnvironment(ring, env)).toThrow(RangeError);
  });
});

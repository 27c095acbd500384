import type { Loss } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { argumentsObject, customAsFunction, customInput, functionArguments } from './tool-arguments.ts';

const call = { type: 'tool-call', callId: 'c', name: 'f' } as const;

describe('argumentsObject', () => {
  it.each([
    ['', {}],
    ['  ', {}],
    ['{"a":1}', { a: 1 }],
    ['[1]', { input: [1] }],
    ['{"a":', { input: '{"a":' }],
    ['null', { input: null }],
  ])('reads %j as %j', (text, expected) => {
    expect(argumentsObject(text)).toEqual(expected);
  });

  it('reports a wrapped value', () => {
    const losses: Loss[] = [];
    argumentsObject('{}', (loss) => losses.push(loss));
    expect(losses).toEqual([]);
    argumentsObject('ls', (loss) => losses.push(loss));
    expect(losses).toHaveLength(1);
  });
});

describe('custom tools', () => {
  it('become functions with one text, and their calls are unwrapped', () => {
    const grammar = { type: 'grammar', syntax: 'lark', definition: 'start: "x"' };
    const asFunction = customAsFunction({ kind: 'custom', name: 'exec', grammar });
    expect(asFunction).toMatchObject({ kind: 'function', name: 'exec', schema: { required: ['input'] } });
    expect(JSON.stringify(asFunction.schema)).toContain('lark');
    const text = functionArguments({ ...call, kind: 'custom', arguments: 'ls "a"' });
    expect(customInput(text)).toBe('ls "a"');
  });

  it('accept plain text from a model that ignores the schema', () => {
    expect(customInput('ls')).toBe('ls');
    expect(customInput('{"other":1}')).toBe('{"other":1}');
  });

  it('do not change functions; a call without arguments gets an empty object', () => {
    const tool = { kind: 'function', name: 'f' } as const;
    expect(customAsFunction(tool)).toBe(tool);
    expect(functionArguments({ ...call, kind: 'function', arguments: '' })).toBe('{}');
  });
});

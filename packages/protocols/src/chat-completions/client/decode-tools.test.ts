import { describe, expect, it } from 'vitest';
import { decodeToolChoice, decodeTools } from './decode-tools.ts';

const base = { model: 'm', messages: [] };

const of = (name: string, description: string) => ({ type: 'function', function: { name, description } });

describe('decodeTools', () => {
  it('reads functions and custom tools with their grammar, and preserves hosted tools', () => {
    const format = { type: 'grammar', grammar: { syntax: 'lark', definition: 'start: "a"' } };
    const hosted = { type: 'web_search', size: 'low' };
    const tools = decodeTools({
      ...base,
      tools: [
        { type: 'function', function: { name: 'f', description: 'd', parameters: { type: 'object' }, strict: true } },
        { type: 'custom', custom: { name: 'c', format } },
        hosted,
      ],
    });
    expect(tools).toEqual([
      { kind: 'function', name: 'f', description: 'd', schema: { type: 'object' }, strict: true },
      { kind: 'custom', name: 'c', grammar: format },
      { kind: 'hosted', name: 'web_search', raw: hosted },
    ]);
  });

  it('flattens names and keeps the client’s names; the last of two equal names wins', () => {
    const tools = decodeTools({ ...base, tools: [of('a.b', 'x'), of('c', 'first'), of('c', 'second')] });
    expect(tools.map(({ clientName, description }) => clientName?.name ?? description)).toEqual(['a.b', 'second']);
    expect(tools[0]?.name).toMatch(/^[\w-]{1,64}$/);
  });

  it.each([
    [[{ type: 'function' }], 'tools[0][function]'],
    [[{ type: 'function', function: {} }], 'tools[0][function][name]'],
    [[{ type: 'function', function: { name: 'f', parameters: 'x' } }], 'tools[0][function][parameters]'],
    [['f'], 'tools[0]'],
  ])('rejects %j naming %s', (tools, param) => {
    expect(() => decodeTools({ ...base, tools })).toThrow(expect.objectContaining({ param, code: 'invalid_request' }));
  });
});

describe('decodeToolChoice', () => {
  it.each([
    ['auto', { type: 'auto' }],
    ['any', { type: 'required' }],
    [
      { type: 'function', function: { name: 'f' } },
      { type: 'tool', name: 'f' },
    ],
    [
      { type: 'custom', custom: { name: 'c' } },
      { type: 'tool', name: 'c' },
    ],
    [
      {
        type: 'allowed_tools',
        allowed_tools: { mode: 'required', tools: [{ type: 'function', function: { name: 'f' } }] },
      },
      { type: 'allowed', mode: 'required', names: ['f'] },
    ],
  ])('reads %j', (choice, expected) => {
    expect(decodeToolChoice({ ...base, tool_choice: choice })).toEqual(expected);
  });

  it('rejects unknown values', () => {
    expect(() => decodeToolChoice({ ...base, tool_choice: 'maybe' })).toThrow('tool_choice');
    expect(() => decodeToolChoice({ ...base, tool_choice: { type: 'function' } })).toThrow('tool_choice[function]');
  });
});

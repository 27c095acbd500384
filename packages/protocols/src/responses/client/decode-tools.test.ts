import { describe, expect, it } from 'vitest';
import { decode, user, describedTool, toolsOf } from '../../../test/decoded-responses.ts';

describe('tools of a request', () => {
  it('are flattened from their namespaces', () => {
    const tools = [
      {
        type: 'namespace',
        name: 'multi_agent_v1',
        tools: [{ type: 'function', name: 'close_agent', parameters: null }],
      },
      { type: 'function', name: 'plain', description: 'D', parameters: { type: 'object' }, strict: true },
      { type: 'web_search', external_web_access: false },
    ];
    expect(toolsOf({ tools })).toEqual([
      {
        kind: 'function',
        name: 'multi_agent_v1__close_agent',
        clientName: { name: 'close_agent', namespace: 'multi_agent_v1' },
      },
      { kind: 'function', name: 'plain', description: 'D', schema: { type: 'object' }, strict: true },
      { kind: 'hosted', name: 'web_search', raw: { type: 'web_search', external_web_access: false } },
    ]);
  });

  it('accept an input item, as Codex sends it', () => {
    const format = { type: 'grammar', syntax: 'lark', definition: 'start: /.+/' };
    const input = [
      {
        type: 'additional_tools',
        role: 'developer',
        tools: [{ type: 'namespace', name: 'functions', tools: [{ type: 'custom', name: 'exec', format }] }],
      },
      user,
    ];
    expect(toolsOf({ input })).toEqual([
      { kind: 'custom', name: 'exec', clientName: { name: 'exec', namespace: 'functions' }, grammar: format },
    ]);
  });

  it('include tools that a search returned; the last of two equal names wins', () => {
    const input = [
      user,
      { type: 'tool_search_call', call_id: 'c', arguments: {} },
      { type: 'tool_search_output', call_id: 'c', tools: [describedTool('new')] },
    ];
    expect(toolsOf({ input, tools: [describedTool('old')] })).toEqual([
      { kind: 'function', name: 'f', description: 'new' },
    ]);
  });

  it('drop fields that control only loading', () => {
    const tools = [
      { type: 'function', name: 'f', defer_loading: true, async: true, output_schema: {}, allowed_callers: [] },
    ];
    expect(toolsOf({ tools })).toEqual([{ kind: 'function', name: 'f' }]);
  });

  it.each([
    ['auto', { type: 'auto' }],
    ['required', { type: 'required' }],
    [
      { type: 'function', name: 'f' },
      { type: 'tool', name: 'f' },
    ],
    [
      { type: 'custom', name: 'f', namespace: 'n' },
      { type: 'tool', name: 'n__f' },
    ],
    [{ type: 'web_search' }, { type: 'tool', name: 'web_search' }],
    [
      { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'f' }, { type: 'web_search' }] },
      { type: 'allowed', mode: 'required', names: ['f', 'web_search'] },
    ],
  ])('support the choice %j', (choice, expected) => {
    expect(decode({ input: 'x', tool_choice: choice }).request.toolChoice).toEqual(expected);
  });
});

import { describe, expect, it } from 'vitest';
import { decodeToolChoice, decodeTools, refuseVendorState } from './decode-tools.ts';

describe('decodeTools', () => {
  it('reads a function and drops hints on when to load it', () => {
    const tool = {
      type: 'custom',
      name: 'read',
      description: 'Reads.',
      input_schema: { $schema: 'x', type: 'object' },
      strict: true,
      defer_loading: true,
      eager_input_streaming: true,
      input_examples: [{}],
      allowed_callers: ['direct'],
      cache_control: { type: 'ephemeral' },
    };
    expect(decodeTools([tool], [])).toEqual([
      {
        kind: 'function',
        name: 'read',
        description: 'Reads.',
        schema: { $schema: 'x', type: 'object' },
        strict: true,
        cache: {},
      },
    ]);
  });

  it('keeps tools with a vendor-specific type unchanged', () => {
    const raw = { type: 'web_search_20250305', name: 'web_search', max_uses: 3 };
    expect(decodeTools([raw], [])).toEqual([{ kind: 'hosted', name: 'web_search_20250305', raw }]);
  });

  it('shortens long names and keeps the name of the client', () => {
    const name = 'x'.repeat(100);
    const [tool] = decodeTools([{ name }], []);
    expect(tool?.name).toHaveLength(59);
    expect(tool?.clientName).toEqual({ name });
  });

  it('keeps the later of two tools with one name', () => {
    const tools = decodeTools(
      [
        { name: 'a', description: '1' },
        { name: 'a', description: '2' },
      ],
      [],
    );
    expect(tools).toMatchObject([{ description: '2' }]);
  });

  it.each([
    [[{}], 'tools[0][name]'],
    [['a'], 'tools[0]'],
  ])('rejects %j', (tools, param) => {
    expect(() => decodeTools(tools, [])).toThrow(expect.objectContaining({ code: 'invalid_request', param }));
  });
});

describe('decodeToolChoice', () => {
  it.each([
    [{ type: 'auto' }, { toolChoice: { type: 'auto' } }],
    [{ type: 'none' }, { toolChoice: { type: 'none' } }],
    [{ type: 'any' }, { toolChoice: { type: 'required' } }],
    [{ type: 'tool', name: 'a' }, { toolChoice: { type: 'tool', name: 'a' } }],
    [
      { type: 'auto', disable_parallel_tool_use: true },
      { toolChoice: { type: 'auto' }, parallelToolCalls: false },
    ],
    [null, {}],
  ])('reads %j', (choice, expected) => {
    expect(decodeToolChoice(choice, [])).toEqual(expected);
  });

  it('finds a hosted tool by its own name', () => {
    const hosted = { kind: 'hosted', name: 'web_search_20250305', raw: { name: 'web_search' } } as const;
    expect(decodeToolChoice({ type: 'tool', name: 'web_search' }, [hosted])).toEqual({
      toolChoice: { type: 'tool', name: 'web_search_20250305' },
    });
  });

  it.each([
    [{ type: 'tool' }, 'tool_choice[name]'],
    [{ type: 'maybe' }, 'tool_choice[type]'],
  ])('rejects %j', (choice, param) => {
    expect(() => decodeToolChoice(choice, [])).toThrow(expect.objectContaining({ param }));
  });
});

it('refuseVendorState accepts empty lists and plain containers', () => {
  const dropped: string[] = [];
  refuseVendorState({ mcp_servers: [], container: { id: 'c', skills: [] } }, ({ field }) => dropped.push(field));
  expect(dropped).toEqual(['container']);
});

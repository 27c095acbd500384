import type { GenerationRequest, Loss } from '@sluice/canonical';
import type { Tool, ToolChoice } from '@anthropic-ai/sdk/resources/messages';
import { describe, expect, it } from 'vitest';
import { encodeTools, type ToolsInput } from './encode-tools.ts';
import { modelTraits } from '../../anthropic-style/model-traits.ts';

const RUN = { kind: 'function', name: 'run' } as const;
const SEE = { kind: 'function', name: 'see' } as const;
const SEARCH = { kind: 'hosted', name: 'web_search', raw: { type: 'web_search' } } as const;
const RESPONSE_TOOL = { name: 'sluice_json_answer', description: 'x', input_schema: { type: 'object' } };

function encode(params: Partial<GenerationRequest>, more: Partial<ToolsInput> = {}, model = 'claude-sonnet-4-5') {
  const losses: Loss[] = [];
  const request: GenerationRequest = {
    protocol: 'chat-completions',
    model: 'm',
    stream: false,
    messages: [],
    tools: [],
    ...params,
  };
  const encoded = encodeTools({
    request,
    traits: modelTraits(model, {}),
    thinks: false,
    responseTool: undefined,
    calledTools: [],
    report: (loss) => losses.push(loss),
    ...more,
  });
  return { ...encoded, losses };
}

describe('encodeTools', () => {
  it('writes a function as the SDK does', () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } } };
    const tool = { ...RUN, description: 'Runs.', schema, strict: true, cache: { ttl: '1h' } };
    expect(encode({ tools: [tool] }).tools).toEqual([
      {
        name: 'run',
        description: 'Runs.',
        input_schema: { type: 'object', properties: { a: { type: 'string' } } },
        strict: true,
        cache_control: { type: 'ephemeral', ttl: '1h' },
      } satisfies Tool,
    ]);
  });

  it('encodes missing tool arguments as an empty object, and drops unsupported strict mode', () => {
    const old = encode({ tools: [{ ...RUN, strict: true }] }, {}, 'claude-3-5-haiku');
    expect(old.tools).toEqual([{ name: 'run', input_schema: { type: 'object', properties: {} } }]);
  });

  it('writes a custom tool as a function with one string argument', () => {
    expect(encode({ tools: [{ kind: 'custom', name: 'exec' }] }).tools).toMatchObject([
      { name: 'exec', input_schema: { properties: { input: { type: 'string' } }, required: ['input'] } },
    ]);
  });

  it('writes no tool choice without tools', () => {
    expect(encode({ toolChoice: { type: 'required' }, parallelToolCalls: false })).toEqual({ losses: [] });
  });

  it('declares called tools when the client sent none', () => {
    expect(encode({}, { calledTools: ['run'] })).toMatchObject({
      tools: [{ name: 'run' }],
      tool_choice: { type: 'none' },
    });
  });

  it.each<[GenerationRequest['toolChoice'], boolean | undefined, ReturnType<typeof encodeTools>['tool_choice']]>([
    [undefined, undefined, undefined],
    [undefined, true, undefined],
    [undefined, false, { type: 'auto', disable_parallel_tool_use: true }],
    [{ type: 'auto' }, undefined, { type: 'auto' }],
    [{ type: 'none' }, false, { type: 'none' }],
    [{ type: 'required' }, undefined, { type: 'any' }],
    [{ type: 'tool', name: 'run' }, false, { type: 'tool', name: 'run', disable_parallel_tool_use: true }],
  ])('writes the choice %j with parallel calls %j', (toolChoice, parallelToolCalls, expected) => {
    const params = {
      tools: [RUN, SEE],
      ...(toolChoice && { toolChoice }),
      ...(parallelToolCalls !== undefined && { parallelToolCalls }),
    };
    const known = expected satisfies ToolChoice | undefined;
    expect(encode(params).tool_choice).toEqual(known);
  });

  it('reduces the tools to the allowed ones', () => {
    const choice = { type: 'allowed' as const, mode: 'required' as const, names: ['see'] };
    expect(encode({ tools: [RUN, SEE], toolChoice: choice })).toMatchObject({
      tools: [{ name: 'see' }],
      tool_choice: { type: 'any' },
    });
  });

  it.each([
    [{ type: 'tool', name: 'run' } as const, 'You must call the tool run.'],
    [{ type: 'required' } as const, 'You must call a tool.'],
  ])('writes %j as an instruction if the model rejects it', (toolChoice, instruction) => {
    const params = { tools: [RUN], toolChoice };
    for (const encoded of [encode(params, {}, 'claude-fable-5-2'), encode(params, { thinks: true })]) {
      expect(encoded).toMatchObject({
        tool_choice: { type: 'auto' },
        instruction,
        losses: [{ field: 'tool_choice', how: 'replaced' }],
      });
    }
  });

  it('forces the synthetic JSON tool, or any tool when there are others', () => {
    expect(encode({}, { responseTool: RESPONSE_TOOL })).toMatchObject({
      tools: [RESPONSE_TOOL],
      tool_choice: { type: 'tool' },
    });
    expect(encode({ tools: [RUN] }, { responseTool: RESPONSE_TOOL }).tool_choice).toEqual({
      type: 'any',
      disable_parallel_tool_use: true,
    });
    expect(encode({ tools: [RUN], toolChoice: { type: 'none' } }, { responseTool: RESPONSE_TOOL })).toMatchObject({
      tools: [RESPONSE_TOOL],
      tool_choice: { type: 'tool', name: RESPONSE_TOOL.name },
    });
    expect(encode({ tools: [RUN] }, { responseTool: RESPONSE_TOOL, thinks: true })).toMatchObject({
      tool_choice: { type: 'auto' },
      instruction: expect.stringContaining('final answer'),
      losses: [],
    });
  });

  it("drops another vendor's hosted tool, but rejects the request when it is the only or forced one", () => {
    expect(encode({ tools: [RUN, SEARCH] })).toMatchObject({
      tools: [{ name: 'run' }],
      losses: [{ field: 'tools[web_search]', how: 'dropped' }],
    });
    expect(() => encode({ tools: [SEARCH] })).toThrow(
      expect.objectContaining({ code: 'unsupported_parameter', param: 'tools' }),
    );
    expect(() => encode({ tools: [RUN, SEARCH], toolChoice: { type: 'tool', name: 'web_search' } })).toThrow(
      expect.objectContaining({ code: 'unsupported_parameter', param: 'tool_choice' }),
    );
    expect(encode({ tools: [SEARCH], toolChoice: { type: 'none' } }).losses).toHaveLength(1);
  });

  it('keeps hosted tools from clients of the same protocol unchanged', () => {
    const raw = { type: 'web_search_20250305', name: 'web_search', max_uses: 1 };
    const tools = [{ kind: 'hosted', name: 'web_search_20250305', raw } as const];
    const toolChoice = { type: 'tool', name: 'web_search_20250305' } as const;
    expect(encode({ protocol: 'messages', tools, toolChoice })).toMatchObject({
      tools: [raw],
      tool_choice: { type: 'tool', name: 'web_search' },
    });
  });
});

import type { GenerationRequest, Loss, Tool, ToolChoice } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { encodeTools } from './encode-tools.ts';
import { modelTraits } from './model-traits.ts';

const f: Tool = { kind: 'function', name: 'f', schema: { type: 'object' } };
const search: Tool = { kind: 'hosted', name: 'web_search', raw: { type: 'web_search' } };

function encode(tools: Tool[], toolChoice?: ToolChoice, rest: Partial<GenerationRequest> = {}, model = 'm') {
  const losses: Loss[] = [];
  const request: GenerationRequest = {
    protocol: 'responses',
    model: 'm',
    stream: false,
    messages: [],
    tools,
    ...(toolChoice && { toolChoice }),
    ...rest,
  };
  const target = { upstream: 'u', account: 'a', protocol: 'chat-completions', model, quirks: {} } as const;
  return { body: encodeTools(request, modelTraits(target), (loss) => losses.push(loss)), losses };
}
const refused = (param: string): unknown => expect.objectContaining({ code: 'unsupported_parameter', param });
const name = (value: string) => ({ type: 'function', function: { name: value } });

describe('encodeTools', () => {
  it('writes functions, whose schema always has properties', () => {
    const plain: Tool = { kind: 'function', name: 'g', description: 'd', strict: false };
    expect(encode([f, plain], { type: 'auto' }, { parallelToolCalls: false }).body).toEqual({
      tools: [
        { type: 'function', function: { name: 'f', parameters: { type: 'object', properties: {} } } },
        {
          type: 'function',
          function: { name: 'g', description: 'd', parameters: { type: 'object', properties: {} }, strict: false },
        },
      ],
      tool_choice: 'auto',
      parallel_tool_calls: false,
    });
  });

  it('writes a custom tool with a grammar as a function with one text', () => {
    const exec: Tool = {
      kind: 'custom',
      name: 'exec',
      grammar: { type: 'grammar', syntax: 'lark', definition: 'start: "a"' },
    };
    expect(encode([exec]).body).toMatchObject({
      tools: [
        {
          type: 'function',
          function: { name: 'exec', parameters: { required: ['input'], properties: { input: { type: 'string' } } } },
        },
      ],
    });
  });

  it('writes no tool choice without tools', () => {
    expect(encode([], { type: 'auto' }, { parallelToolCalls: true }).body).toEqual({});
  });

  it('omits tools that only their vendor can run', () => {
    const { body, losses } = encode([search, f], { type: 'auto' });
    expect(body['tools']).toHaveLength(1);
    expect(losses).toEqual([{ field: 'tools[web_search]', how: 'dropped' }]);
    expect(encode([search], { type: 'none' }).body).toEqual({});
  });

  it('rejects a tool of another vendor if it is the only one or is forced', () => {
    for (const choice of [undefined, { type: 'auto' }, { type: 'required' }] as const) {
      expect(() => encode([search], choice)).toThrow(refused('tools'));
    }
    expect(() => encode([search, f], { type: 'tool', name: 'web_search' })).toThrow(refused('tool_choice'));
  });

  it('writes hosted tools from clients of the same protocol unchanged', () => {
    expect(encode([search], { type: 'tool', name: 'web_search' }, { protocol: 'chat-completions' }).body).toEqual({
      tools: [{ type: 'web_search' }],
      tool_choice: { type: 'web_search' },
    });
  });

  it('writes allowed_tools for OpenAI, and sends only the allowed tools to others', () => {
    const g: Tool = { kind: 'function', name: 'g' };
    const choice: ToolChoice = { type: 'allowed', mode: 'required', names: ['g'] };
    expect(encode([f, g], choice, {}, 'gpt-5').body).toMatchObject({
      tools: [name('f'), name('g')],
      tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'required', tools: [name('g')] } },
    });
    expect(encode([f, g], choice).body).toMatchObject({ tools: [name('g')], tool_choice: 'required' });
    expect(encode([f, g], { type: 'tool', name: 'f' }).body).toMatchObject({ tool_choice: name('f') });
  });
});

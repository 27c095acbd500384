import type { GenerationRequest, Loss, TextQuirks, ToolChoice } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { implySingleCall } from '../../text/single-call.ts';
import { encodeTools } from './encode-tools.ts';

const base = { protocol: 'responses', model: 'm', stream: false, messages: [] } as const;
const schema = { type: 'object', properties: { a: { type: 'string', const: 'x' } }, additionalProperties: false };
const tools: GenerationRequest['tools'] = [
  { kind: 'function', name: 'f', description: 'F', schema },
  { kind: 'function', name: 'g' },
];
const search = { kind: 'hosted', name: 'web_search', raw: { type: 'web_search' } } as const;

const refusal = (param: string) => expect.objectContaining({ code: 'unsupported_parameter', param });

function encode(request: Partial<GenerationRequest>, quirks: TextQuirks = {}, losses: Loss[] = []) {
  const target = {
    upstream: 'g',
    account: 'a',
    protocol: 'generative-content',
    model: 'gemini-3-pro',
    quirks,
  } as const;
  return encodeTools({ ...base, messages: [], tools, ...request }, target, (loss) => losses.push(loss));
}

describe('encodeTools', () => {
  it('sends complete schemas if the model accepts them', () => {
    expect(encode({}).tools).toEqual([
      { functionDeclarations: [{ name: 'f', description: 'F', parametersJsonSchema: schema }, { name: 'g' }] },
    ]);
  });

  it('reduces schemas if the model does not accept them', () => {
    expect(encode({}, { full_schema: false }).tools).toEqual([
      {
        functionDeclarations: [
          {
            name: 'f',
            description: 'F',
            parameters: { type: 'OBJECT', properties: { a: { type: 'STRING', enum: ['x'] } } },
          },
          { name: 'g' },
        ],
      },
    ]);
  });

  it.each([
    [{ type: 'auto' }, { mode: 'AUTO' }],
    [{ type: 'none' }, { mode: 'NONE' }],
    [{ type: 'required' }, { mode: 'ANY' }],
    [
      { type: 'tool', name: 'f' },
      { mode: 'ANY', allowedFunctionNames: ['f'] },
    ],
    [
      { type: 'allowed', mode: 'required', names: ['f', 'g'] },
      { mode: 'ANY', allowedFunctionNames: ['f', 'g'] },
    ],
  ] satisfies [ToolChoice, unknown][])('writes the tool choice %j', (toolChoice, functionCallingConfig) => {
    expect(encode({ toolChoice }).toolConfig).toEqual({ functionCallingConfig });
  });

  it('reports strict schemas, which the API does not have', () => {
    const losses: Loss[] = [];
    encode({ tools: tools.map((tool) => ({ ...tool, strict: true })) }, {}, losses);
    encode({ tools: tools.map((tool) => ({ ...tool, strict: false })) }, {}, losses);
    expect(losses).toEqual([{ field: 'tools[].strict', how: 'dropped' }]);
  });

  it('offers only the allowed tools in mode auto', () => {
    const { tools: written, toolConfig } = encode({ toolChoice: { type: 'allowed', mode: 'auto', names: ['g'] } });
    expect(written).toEqual([{ functionDeclarations: [{ name: 'g' }] }]);
    expect(toolConfig).toEqual({ functionCallingConfig: { mode: 'AUTO' } });
  });

  it('writes neither tools nor a choice without tools', () => {
    expect(encode({ tools: [], toolChoice: { type: 'required' } })).toEqual({});
  });

  it('omits tools that another vendor runs and reports the loss', () => {
    const losses: Loss[] = [];
    expect(encode({ tools: [...tools, search] }, {}, losses).tools).toHaveLength(1);
    expect(losses).toEqual([{ field: 'tools[web_search]', how: 'dropped' }]);
  });

  it('rejects a request that needs a tool of another vendor', () => {
    expect(() => encode({ tools: [search] })).toThrow(refusal('tools'));
    expect(() => encode({ tools: [...tools, search], toolChoice: { type: 'tool', name: 'web_search' } })).toThrow(
      refusal('tool_choice'),
    );
  });

  it("writes Gemini's own hosted tools back", () => {
    const own = { kind: 'hosted', name: 'googleSearch', raw: { googleSearch: {} } } as const;
    expect(encode({ protocol: 'generative-content', tools: [own] }).tools).toEqual([{ googleSearch: {} }]);
  });

  it('reports that parallel calls cannot be disabled', () => {
    const losses: Loss[] = [];
    encode({ parallelToolCalls: false }, {}, losses);
    expect(losses).toEqual([{ field: 'parallel_tool_calls', how: 'dropped' }]);
    const impliedLosses: Loss[] = [];
    encode(implySingleCall({ ...base, messages: [], tools }), {}, impliedLosses);
    expect(impliedLosses).toEqual([]);
  });

  it('writes custom tools as functions with one string argument', () => {
    expect(encode({ tools: [{ kind: 'custom', name: 'exec' }] }).tools).toMatchObject([
      { functionDeclarations: [{ name: 'exec', parametersJsonSchema: { required: ['input'] } }] },
    ]);
  });
});

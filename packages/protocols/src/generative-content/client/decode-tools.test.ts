import { describe, expect, it } from 'vitest';
import { decodeTools } from './decode-tools.ts';

const decode = (body: Record<string, unknown>) => decodeTools(body, () => undefined);

describe('decodeTools', () => {
  it('reads both kinds of schema', () => {
    expect(
      decode({
        tools: [
          {
            functionDeclarations: [
              { name: 'a', description: 'A', parameters: { type: 'OBJECT', properties: { x: { type: 'STRING' } } } },
              { name: 'b', parametersJsonSchema: { type: 'object', additionalProperties: false } },
              { name: 'c', parameters: {} },
            ],
          },
        ],
      }).tools,
    ).toEqual([
      {
        kind: 'function',
        name: 'a',
        description: 'A',
        schema: { type: 'object', properties: { x: { type: 'string' } } },
      },
      { kind: 'function', name: 'b', schema: { type: 'object', additionalProperties: false } },
      { kind: 'function', name: 'c' },
    ]);
  });

  it('reads each tool that the vendor runs as one hosted tool', () => {
    expect(decode({ tools: [{ googleSearch: {}, codeExecution: {} }] }).tools).toEqual([
      { kind: 'hosted', name: 'googleSearch', raw: { googleSearch: {} } },
      { kind: 'hosted', name: 'codeExecution', raw: { codeExecution: {} } },
    ]);
  });

  it("shortens names and keeps the client's name", () => {
    const { tools, toolChoice } = decode({
      tools: [{ functionDeclarations: [{ name: 'ns.a' }] }],
      toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['ns.a'] } },
    });
    expect(tools[0]?.clientName).toEqual({ name: 'ns.a' });
    expect(toolChoice).toEqual({ type: 'tool', name: tools[0]?.name });
  });

  it.each([
    [{ mode: 'AUTO' }, { type: 'auto' }],
    [{ mode: 'any' }, { type: 'required' }],
    [{ mode: 'NONE' }, { type: 'none' }],
    [
      { mode: 'ANY', allowedFunctionNames: ['a', 'b'] },
      { type: 'allowed', mode: 'required', names: ['a', 'b'] },
    ],
    [
      { mode: 'VALIDATED', allowedFunctionNames: ['a'] },
      { type: 'allowed', mode: 'auto', names: ['a'] },
    ],
    [{ mode: 'MODE_UNSPECIFIED' }, undefined],
    [{}, undefined],
  ])('reads the tool choice %j', (functionCallingConfig, choice) => {
    expect(decode({ toolConfig: { functionCallingConfig } }).toolChoice).toEqual(choice);
  });

  it('rejects tools that need another server, and a function without a name', () => {
    expect(() => decode({ tools: [{ mcpServers: [{ name: 'x' }] }] })).toThrow(
      expect.objectContaining({ code: 'unsupported_parameter' }),
    );
    expect(() => decode({ tools: [{ functionDeclarations: [{}] }] })).toThrow(
      expect.objectContaining({ param: 'tools[0][functionDeclarations][0][name]' }),
    );
  });
});

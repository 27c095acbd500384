import type { GenerationRequest, Loss, TextFormat, Tool, ToolChoice } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { encodeJsonResponse, JSON_TOOL } from './json-response.ts';
import { modelTraits } from '../../anthropic-style/model-traits.ts';

function encode(format: TextFormat | undefined, model: string, tools: Tool[] = [], toolChoice?: ToolChoice) {
  const losses: Loss[] = [];
  const request: GenerationRequest = {
    protocol: 'chat-completions',
    model: 'm',
    stream: false,
    messages: [],
    tools,
    ...(format && { format }),
    ...(toolChoice && { toolChoice }),
  };
  const response = encodeJsonResponse(request, modelTraits(model, {}), (loss) => losses.push(loss));
  return { response, losses };
}

const schema = { type: 'object', properties: { a: { type: 'string' } } };
const schemaFormat: TextFormat = { type: 'schema', name: 'x', schema, description: 'An a.' };
const described = { ...schema, title: 'x', description: 'An a.' };
const NATIVE = 'claude-sonnet-4-5';
const OLD = 'claude-3-5-haiku';

describe('encodeJsonResponse', () => {
  it('returns no reasoning for plain text', () => {
    expect(encode(undefined, NATIVE).response).toEqual({});
    expect(encode({ type: 'text' }, NATIVE).response).toEqual({});
  });

  it('uses a native schema if the model supports it', () => {
    expect(encode(schemaFormat, NATIVE)).toEqual({
      response: { format: { type: 'json_schema', schema: { ...described, additionalProperties: false } } },
      losses: [],
    });
  });

  it('uses a tool if the model does not support native schemas', () => {
    expect(encode(schemaFormat, OLD)).toEqual({
      response: { tool: { name: JSON_TOOL, description: 'An a.', input_schema: described } },
      losses: [{ field: 'response_format', how: 'replaced' }],
    });
  });

  it('reports a name or description that the schema replaces', () => {
    const own = { ...schema, title: 'x', description: 'Its own.' };
    expect(encode({ ...schemaFormat, schema: own }, NATIVE)).toEqual({
      response: { format: { type: 'json_schema', schema: { ...own, additionalProperties: false } } },
      losses: [{ field: 'response_format.description', how: 'dropped' }],
    });
  });

  it.each<ToolChoice>([
    { type: 'tool', name: 'run' },
    { type: 'required' },
    { type: 'allowed', mode: 'required', names: ['run'] },
  ])('drops the schema in favor of the forced call %j', (toolChoice) => {
    const run: Tool = { kind: 'function', name: 'run' };
    expect(encode(schemaFormat, OLD, [run], toolChoice)).toEqual({
      response: {},
      losses: [{ field: 'response_format', how: 'dropped' }],
    });
    expect(encode(schemaFormat, NATIVE, [run], toolChoice).losses).toEqual([]);
    expect(encode(schemaFormat, OLD, [], toolChoice).response.tool?.name).toBe(JSON_TOOL);
  });

  it('falls back to an instruction if neither is supported', () => {
    const list = encode({ type: 'schema', name: 'x', schema: { type: 'array' } }, OLD);
    expect(list.response.instruction).toContain('{"type":"array","title":"x"}');
    const reserved = encode(schemaFormat, OLD, [{ kind: 'function', name: JSON_TOOL }]);
    expect(reserved.response).toEqual({ instruction: expect.stringContaining(JSON.stringify(described)) });
    expect(encode({ type: 'json' }, NATIVE).response).toEqual({ instruction: expect.stringContaining('JSON object') });
  });
});

import type { GenerationRequest, Loss, TextFormat, Tool, ToolChoice } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { encodeJsonResponse, JSON_TOOL } from './json-response.ts';
import { modelTraits } from '../wire/model-traits.ts';

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
const NATIVE = 'claude-sonnet-4-5';
const OLD = 'claude-3-5-haiku';

describe('encodeJsonResponse', () => {
  it('writes nothing for plain text', () => {
    expect(encode(undefined, NATIVE).response).toEqual({});
    expect(encode({ type: 'text' }, NATIVE).response).toEqual({});
  });

  it('uses a native schema where the model has it', () => {
    expect(encode(schemaFormat, NATIVE)).toEqual({
      response: { format: { type: 'json_schema', schema: { ...schema, additionalProperties: false } } },
      losses: [],
    });
  });

  it('uses a tool where the model has no native schema', () => {
    expect(encode(schemaFormat, OLD)).toEqual({
      response: { tool: { name: JSON_TOOL, description: 'An a.', input_schema: schema } },
      losses: [{ field: 'response_format', how: 'replaced' }],
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

  it('falls back to an instruction where neither works', () => {
    const list = encode({ type: 'schema', name: 'x', schema: { type: 'array' } }, OLD);
    expect(list.response.instruction).toContain('{"type":"array"}');
    const reserved = encode(schemaFormat, OLD, [{ kind: 'function', name: JSON_TOOL }]);
    expect(reserved.response).toEqual({ instruction: expect.stringContaining(JSON.stringify(schema)) });
    expect(encode({ type: 'json' }, NATIVE).response).toEqual({ instruction: expect.stringContaining('JSON object') });
  });
});

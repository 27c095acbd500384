import { describe, expect, it } from 'vitest';
import { parseInput } from '../../json/parse-input.ts';
import { CompactTopLevel, ResponsesTopLevel } from './schema.ts';

const check = (body: object) => parseInput(ResponsesTopLevel, { model: 'm', ...body });

describe('ResponsesTopLevel', () => {
  it('accepts a body with only a model', () => {
    expect(check({})).toEqual({ model: 'm' });
  });

  it('treats null as absent and accepts unknown members', () => {
    const names = [
      'input',
      'instructions',
      'max_output_tokens',
      'temperature',
      'top_p',
      'stream',
      'tools',
      'tool_choice',
    ];
    const nulls = Object.fromEntries(
      [...names, 'text', 'reasoning', 'metadata', 'truncation', 'store'].map((name) => [name, null]),
    );
    expect(() => check({ ...nulls, client_metadata: { a: 1 } })).not.toThrow();
  });

  it.each([
    [{ model: undefined }, 'model', 'model is required.'],
    [{ model: 7 }, 'model', 'model must be a string.'],
    [{ input: 7 }, 'input', 'input must be a string or an array of objects.'],
    [{ input: ['x'] }, 'input', 'input must be a string or an array of objects.'],
    [{ max_output_tokens: 1.5 }, 'max_output_tokens', expect.any(String)],
    [{ max_output_tokens: 0 }, 'max_output_tokens', 'max_output_tokens must be at least 1.'],
    [{ max_output_tokens: -1_000_000 }, 'max_output_tokens', 'max_output_tokens must be at least 1.'],
    [{ temperature: 2.1 }, 'temperature', 'temperature must be a number from 0 to 2.'],
    [{ temperature: '1' }, 'temperature', expect.any(String)],
    [{ top_p: 1.1 }, 'top_p', 'top_p must be a number from 0 to 1.'],
    [{ truncation: 'never' }, 'truncation', 'truncation must be auto or disabled.'],
    [{ stream: 'yes' }, 'stream', expect.any(String)],
    [{ tools: {} }, 'tools', 'tools must be an array of objects.'],
  ])('rejects %j, naming the field', (body, param, message) => {
    expect(() => check(body)).toThrow(expect.objectContaining({ code: 'invalid_request', param, message }));
  });
});

describe('CompactTopLevel', () => {
  it('requires only a model', () => {
    expect(() => parseInput(CompactTopLevel, { model: 'm', input: [{}], previous_response_id: null })).not.toThrow();
    expect(() => parseInput(CompactTopLevel, {})).toThrow(expect.objectContaining({ param: 'model' }));
  });
});

import { GatewayError } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { parseInput } from '../../json/parse-input.ts';
import { CountMessageTokensSchema, CreateMessageSchema } from './schema.ts';

const MIN = { model: 'm', max_tokens: 1, messages: [] };

describe('CreateMessageSchema', () => {
  it('accepts a minimal body and unknown fields', () => {
    expect(parseInput(CreateMessageSchema, { ...MIN, betas: ['x'], thread: {} })).toEqual({
      ...MIN,
      betas: ['x'],
      thread: {},
    });
  });

  it('treats null as absent for optional fields', () => {
    const optional =
      'system cache_control inference_geo temperature top_p top_k stream stop_sequences tools tool_choice thinking ' +
      'context_management output_config output_format container mcp_servers metadata speed service_tier';
    const nulls = Object.fromEntries(optional.split(' ').map((name) => [name, null]));
    expect(() => parseInput(CreateMessageSchema, { ...MIN, ...nulls })).not.toThrow();
  });

  it.each([
    ['model', undefined, 'model is required.'],
    ['model', '', 'model is required.'],
    ['messages', undefined, 'messages is required.'],
    ['messages', 'hi', 'messages must be an array.'],
    ['max_tokens', undefined, 'max_tokens is required.'],
    ['max_tokens', null, 'max_tokens is required.'],
    ['max_tokens', 0, 'max_tokens must be at least 1.'],
    ['max_tokens', 1.5, 'max_tokens must be an integer.'],
    ['temperature', 1.1, 'temperature must be from 0 to 1.'],
    ['temperature', -0.1, 'temperature must be from 0 to 1.'],
    ['temperature', 'hot', 'temperature must be a number.'],
    ['top_k', 1.5, 'top_k must be an integer.'],
    ['stream', 'yes', 'stream must be true or false.'],
    ['stop_sequences', 'END', 'stop_sequences must be an array of strings.'],
    ['speed', 'slow', 'speed must be standard or fast.'],
    ['service_tier', 'flex', 'service_tier must be auto or standard_only.'],
    ['tools', {}, 'tools must be an array.'],
    ['tool_choice', 'auto', 'tool_choice must be an object.'],
    ['thinking', [], 'thinking must be an object.'],
    ['metadata', 'a', 'metadata must be an object.'],
    ['container', 5, 'container must be a string or an object.'],
    ['mcp_servers', {}, 'mcp_servers must be an array.'],
    ['system', 5, 'system must be a string or an array of text blocks.'],
  ])('rejects %s of %j', (param, value, message) => {
    const body = { ...MIN, [param]: value };
    expect(() => parseInput(CreateMessageSchema, body)).toThrow(
      new GatewayError('invalid_request', message, { param }),
    );
  });

  it.each([
    ['system', [{ type: 'text', text: 'a' }]],
    ['container', 'c_1'],
    ['container', { id: 'c' }],
    ['temperature', 0],
    ['speed', 'fast'],
  ])('accepts %s of %j', (param, value) => {
    expect(() => parseInput(CreateMessageSchema, { ...MIN, [param]: value })).not.toThrow();
  });

  it('does not validate nested values of messages', () => {
    const messages = [5, { role: 'x' }];
    expect(parseInput(CreateMessageSchema, { ...MIN, messages })['messages']).toBe(messages);
  });
});

it('CountMessageTokensSchema needs no limit', () => {
  expect(() => parseInput(CountMessageTokensSchema, { model: 'm', messages: [] })).not.toThrow();
});

import { describe, expect, it } from 'vitest';
import { createSecretStore } from '../../text/secret-store.ts';
import { WireError } from '../../http/wire-error.ts';
import { THOUGHT } from './check-contents.ts';
import { checkCountRequest, checkGenerateRequest } from './check-generate-request.ts';

const secretStore = createSecretStore('sk-sandbox');
const user = { role: 'user', parts: [{ text: 'hi' }] };
const calls = (...names: string[]) => ({
  role: 'model',
  parts: names.map((name) => ({ functionCall: { name, args: {} } })),
});
const results = (...names: string[]) => ({
  role: 'user',
  parts: names.map((name) => ({ functionResponse: { name, response: { output: 'sunny' } } })),
});
const signed = (signature: string) => ({
  role: 'model',
  parts: [{ functionCall: { name: 'w', args: {} }, thoughtSignature: signature }],
});
const declare = (more: object) => ({ contents: [user], tools: [{ functionDeclarations: [{ name: 'w', ...more }] }] });
const config = (generationConfig: object) => ({ contents: [user], generationConfig });
const loopWith = (signature: string) => ({ contents: [user, signed(signature), results('w')] });
const own = secretStore.encrypt(`${THOUGHT}gemini-3-pro`, 'x');

function refusal(body: unknown, model = 'gemini-2.5', check: typeof checkGenerateRequest = checkGenerateRequest) {
  try {
    check(body, model, secretStore);
    return undefined;
  } catch (error) {
    if (error instanceof WireError && error.status === 400) return error.message;
    throw error;
  }
}

describe('checkGenerateRequest', () => {
  it.each([
    [
      {
        contents: [user],
        system_instruction: { parts: [{ text: 'x' }] },
        generation_config: { max_output_tokens: '5' },
      },
    ],
    [{ contents: [user, calls('a', 'b'), results('a', 'b')] }],
    [{ contents: [user], generationConfig: {}, safetySettings: [], tools: [] }],
    [declare({ parameters: { type: 'object', properties: { a: { type: 'STRING', nullable: true } } } })],
    [declare({ parametersJsonSchema: { $schema: 'x', type: 'object', additionalProperties: false } })],
    [config({ responseMimeType: 'application/json', responseSchema: { type: 'STRING' }, stopSequences: [] })],
  ])('accepts valid requests %#', (body) => {
    expect(refusal(body)).toBeUndefined();
  });

  it.each([
    [{}, '* GenerateContentRequest.contents: contents is not specified'],
    [
      { contents: [user], stream_options: {} },
      'Invalid JSON payload received. Unknown name "stream_options": Cannot find field.',
    ],
    [config({ maxTokens: 1 }), `Unknown name "maxTokens" at 'generation_config': Cannot find field.`],
    [{ contents: [{ parts: [{ txt: 'x' }] }] }, `Unknown name "txt" at 'contents[0].parts[0]': Cannot find field.`],
    [{ contents: [{ role: 'assistant', parts: [{ text: 'x' }] }] }, 'Please use a valid role: user, model.'],
    [{ contents: [{ parts: [] }] }, '* GenerateContentRequest.contents[0].parts: contents.parts must not be empty.'],
    [{ contents: [{ parts: [{}] }] }, "required oneof field 'data' must have one initialized field"],
    [
      { contents: [{ parts: [{ text: 'x', inlineData: { mimeType: 'image/png', data: '' } }] }] },
      "oneof field 'data' is already set",
    ],
    [
      { contents: [{ parts: [{ inlineData: { mimeType: 'image/png', data: '*' } }] }] },
      "Invalid value at 'contents[0].parts[0].inline_data.data' (TYPE_BYTES)",
    ],
    [config({ temperature: 'hot' }), `Invalid value at 'generation_config.temperature' (TYPE_FLOAT), "hot"`],
    [config({ temperature: 3 }), 'generation_config.temperature: must be in the range [0, 2].'],
    [config({ stopSequences: ['a', 'b', 'c', 'd', 'e', 'f'] }), 'at most 5 stop sequences'],
    [config({ responseSchema: { type: 'STRING' } }), 'only allowed with a response_mime_type of application/json'],
    [
      { contents: [user, calls('a', 'b'), results('a')] },
      'number of function response parts is equal to the number of function call parts',
    ],
    [{ contents: [user, calls('a'), user] }, 'number of function response parts is equal'],
    [{ contents: [user, calls('a')] }, 'number of function response parts is equal'],
    [{ contents: [user, results('a')] }, 'function response turn comes immediately after a function call turn'],
    [{ contents: [calls('a'), results('a')] }, 'function call turn comes immediately after a user turn'],
    [declare({ name: '1w' }), 'function_declarations[0].name: [FIELD_INVALID] Invalid function name.'],
    [
      declare({ parameters: { type: 'object', $schema: 'x' } }),
      `Unknown name "$schema" at 'tools[0].function_declarations[0].parameters': Cannot find field.`,
    ],
    [
      declare({ parameters: { type: 'object', properties: { a: { type: 'object', additionalProperties: false } } } }),
      `Unknown name "additionalProperties" at 'tools[0].function_declarations[0].parameters.properties[a]': Cannot find field.`,
    ],
    [
      declare({ parameters: { type: ['string', 'null'] } }),
      "Invalid value at 'tools[0].function_declarations[0].parameters.type'",
    ],
    [declare({ parameters: { type: 'object', properties: {} } }), '.properties: should be non-empty for OBJECT type'],
    [declare({ parameters: { type: 'array' } }), '.items: missing field.'],
    [
      declare({ parameters: { type: 'object', properties: { a: { type: 'string' } }, required: ['b'] } }),
      '.required[0]: property is not defined',
    ],
    [
      { ...declare({}), toolConfig: { functionCallingConfig: { mode: 'AUTO', allowedFunctionNames: ['w'] } } },
      'allowed_function_names: should be set only when function_calling_config.mode is ANY',
    ],
  ])('rejects with Google’s messages %#', (body, message) => {
    expect(refusal(body)).toContain(message);
  });

  it.each(['gemini-3-pro', 'my-strict-model'])('requires signatures on calls of the current turn of %s', (model) => {
    const missing = 'Function call is missing a thought_signature in functionCall parts.';
    expect(refusal({ contents: [user, calls('w'), results('w')] }, model)).toContain(missing);
    expect(refusal({ contents: [user, calls('w'), results('w'), user] }, model)).toBeUndefined();
    const skipped = signed('skip_thought_signature_validator');
    expect(refusal({ contents: [user, skipped, results('w')] }, model)).toBeUndefined();
    expect(refusal({ contents: [user, skipped, results('w'), calls('w'), results('w')] }, model)).toContain(missing);
  });

  it('merges neighbors of one role into one turn, as chats store a stream', () => {
    const modelText = { role: 'model', parts: [{ text: 'x' }] };
    const [first, second] = [calls('a'), calls('b')];
    expect(refusal({ contents: [user, modelText, first, second, modelText, results('a', 'b')] })).toBeUndefined();
    expect(refusal({ contents: [user, calls('a', 'b'), results('a'), results('b')] })).toBeUndefined();
    expect(refusal({ contents: [user, calls('a'), results('a'), user] })).toBeUndefined();
    expect(refusal({ contents: [user, first, second, results('a')] })).toContain('number of function response parts');
    const signature = signed(own);
    const streamed = { contents: [user, modelText, signature, calls('w'), results('w', 'w')] };
    expect(refusal(streamed, 'gemini-3-pro')).toBeUndefined();
    const unsigned = { contents: [user, modelText, calls('w'), signature, results('w', 'w')] };
    expect(refusal(unsigned, 'gemini-3-pro')).toContain('missing a thought_signature');
  });

  it('accepts its own signatures and no others', () => {
    expect(refusal(loopWith(own), 'gemini-3-pro')).toBeUndefined();
    expect(refusal(loopWith(own), 'gemini-3-flash')).toBe('Thought signature is not valid.');
    expect(refusal(loopWith('AAAA'))).toBe('Thought signature is not valid.');
    expect(refusal(loopWith('not base64!'))).toContain('(TYPE_BYTES)');
  });

  it('counts contents, bare or in a request', () => {
    expect(refusal({ contents: [user] }, 'm', checkCountRequest)).toBeUndefined();
    expect(
      refusal({ generateContentRequest: { model: 'models/m', contents: [user] } }, 'm', checkCountRequest),
    ).toBeUndefined();
  });
});

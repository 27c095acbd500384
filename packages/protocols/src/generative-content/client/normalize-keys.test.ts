import { describe, expect, it } from 'vitest';
import { normalizeRequest } from './normalize-keys.ts';

describe('normalizeRequest', () => {
  it('accepts snake case wherever the API does', () => {
    expect(
      normalizeRequest({
        system_instruction: { parts: { text: 'Be brief.' } },
        generation_config: {
          max_output_tokens: 5,
          thinking_config: { include_thoughts: true, thinking_budget: 0 },
          speech_config: { voice_config: { prebuilt_voice_config: { voice_name: 'Kore' } } },
        },
        tool_config: { function_calling_config: { allowed_function_names: ['a'] } },
        tools: [{ function_declarations: [{ name: 'a', parameters_json_schema: {} }], google_search: {} }],
        contents: [
          {
            role: 'user',
            parts: [
              { inline_data: { mime_type: 'image/png', data: 'AAAA' } },
              { function_response: { name: 'a', response: {}, parts: [{ file_data: { file_uri: 'gs://x' } }] } },
              { text: 'x', thought_signature: 'AA==' },
            ],
          },
        ],
      }),
    ).toEqual({
      systemInstruction: { parts: { text: 'Be brief.' } },
      generationConfig: {
        maxOutputTokens: 5,
        thinkingConfig: { includeThoughts: true, thinkingBudget: 0 },
        speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: 'Kore' } } },
      },
      toolConfig: { functionCallingConfig: { allowedFunctionNames: ['a'] } },
      tools: [{ functionDeclarations: [{ name: 'a', parametersJsonSchema: {} }], googleSearch: {} }],
      contents: [
        {
          role: 'user',
          parts: [
            { inlineData: { mimeType: 'image/png', data: 'AAAA' } },
            { functionResponse: { name: 'a', response: {}, parts: [{ fileData: { fileUri: 'gs://x' } }] } },
            { text: 'x', thoughtSignature: 'AA==' },
          ],
        },
      ],
    });
  });

  it("never changes the user's own data", () => {
    const own = { mime_type: 'x', file_uri: null, nested: { function_call: 1 } };
    const body = {
      contents: [
        { parts: [{ functionCall: { name: 'a', args: own } }, { functionResponse: { name: 'a', response: own } }] },
      ],
      tools: [{ functionDeclarations: [{ name: 'a', parameters: { properties: { file_uri: {} } } }] }],
      generationConfig: { responseJsonSchema: { properties: { mime_type: {} } } },
    };
    expect(normalizeRequest(body)).toEqual(body);
  });

  it('treats null as absent and prefers camel case to snake case', () => {
    expect(normalizeRequest({ cachedContent: null, toolConfig: { a: 1 }, tool_config: { b: 2 } })).toEqual({
      toolConfig: { a: 1 },
    });
    expect(normalizeRequest({ toolConfig: null, tool_config: { b: 2 } })).toEqual({ toolConfig: { b: 2 } });
  });

  it('keeps unknown keys unchanged, even one that would set a prototype', () => {
    // The cast is safe because the text is a JSON object.
    const body = JSON.parse('{"my_own_key":1,"__proto__":{"contents":[]}}') as Record<string, unknown>;
    const result = normalizeRequest(body);
    expect(result['my_own_key']).toBe(1);
    expect(result['contents']).toBeUndefined();
  });
});

import { describe, expect, it } from 'vitest';
import { curlSnippet } from './curl.ts';
import { pythonLiteral, shellLiteral, typescriptLiteral } from './literals.ts';
import { pythonSnippet } from './python.ts';
import { typescriptSnippet } from './typescript.ts';

const VALUE = { text: `It's "so"`, list: [1, true, null], 'odd-name': {} };

describe('literals', () => {
  it('are valid in each language', () => {
    expect(pythonLiteral(VALUE)).toBe(String.raw`{"text": "It's \"so\"", "list": [1, True, None], "odd-name": {}}`);
    expect(typescriptLiteral(VALUE)).toBe(String.raw`{ text: "It's \"so\"", list: [1, true, null], "odd-name": {} }`);
    expect(shellLiteral("It's")).toBe(String.raw`'It'\''s'`);
  });
});

const VIDEO = { method: 'POST', path: '/v1/videos' } as const;
const ORIGIN = 'https://gateway.example/team';

describe('snippets', () => {
  it('name files of a form', () => {
    const request = {
      ...VIDEO,
      form: [
        ['model', 'v'],
        ['input_reference', new File(['x'], 'a.png')],
      ] as const,
    };
    expect(curlSnippet(request, ORIGIN)).toContain("-F 'input_reference=@a.png'");
    expect(pythonSnippet(request, ORIGIN)).toContain('input_reference=open("a.png", "rb")');
    expect(typescriptSnippet(request, ORIGIN)).toContain('input_reference: createReadStream("a.png")');
  });

  it('keep the prefix of a proxy', () => {
    const request = { ...VIDEO, json: { model: 'v', prompt: 'p' } };
    for (const format of [curlSnippet, pythonSnippet, typescriptSnippet]) {
      expect(format(request, ORIGIN)).toContain(`${ORIGIN}/v1`);
    }
  });

  it('pass options of generateContent as `config`', () => {
    const json = {
      contents: [],
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      generationConfig: { temperature: 0 },
    };
    const request = { method: 'POST', path: '/v1beta/models/a%2Fb:streamGenerateContent?alt=sse', json } as const;
    expect(typescriptSnippet(request, ORIGIN)).toContain('config: { temperature: 0, systemInstruction: "Be brief." }');
    expect(pythonSnippet(request, ORIGIN)).toContain('client.models.generate_content_stream(\n    model="a/b",');
  });

  it('omit the header that makes images asynchronous', () => {
    const request = {
      method: 'POST',
      path: '/v1/images/generations',
      headers: { prefer: 'respond-async' },
      json: {},
    } as const;
    expect(curlSnippet(request, ORIGIN)).not.toContain('prefer');
  });
});

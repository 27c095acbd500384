import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RunningSandbox, startSandbox } from '../../start-sandbox.ts';

let sandbox: RunningSandbox;
beforeEach(async () => {
  sandbox = await startSandbox();
});
afterEach(() => sandbox.close());

const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const tools = [{ functionDeclarations: [{ name: 'w', parametersJsonSchema: schema }] }];
const user = (text: string) => ({ role: 'user', parts: [{ text }] });

function call(path: string, body: unknown, headers: Record<string, string> = { 'x-goog-api-key': 'sk-sandbox' }) {
  return fetch(`${sandbox.url}${path}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}
async function responseTo(text: string, more: object = {}, model = 'm'): Promise<unknown> {
  return await (await call(`/v1beta/models/${model}:generateContent`, { contents: [user(text)], ...more })).json();
}
async function streamOf(text: string, more: object = {}, model = 'm'): Promise<unknown[]> {
  const body = { contents: [user(text)], ...more };
  const frames = (await (await call(`/v1/models/${model}:streamGenerateContent?alt=sse`, body)).text()).split(
    '\r\n\r\n',
  );
  expect(frames.at(-1)).toBe('');
  return frames.slice(0, -1).map((frame): unknown => JSON.parse(/^data: (.*)$/.exec(frame)?.[1] ?? ''));
}

describe('the generative-content API', () => {
  it('requires the key, in a header or in the query', async () => {
    const path = '/v1beta/models/m:generateContent';
    const body = { contents: [user('hi')] };
    expect((await call(path, body, {})).status).toBe(403);
    expect((await call(path, body, { authorization: 'Bearer sk-sandbox' })).status).toBe(403);
    expect(await (await call(`${path}?key=sk-other`, body, {})).json()).toMatchObject({
      error: { code: 400, status: 'INVALID_ARGUMENT', details: [{ reason: 'API_KEY_INVALID' }] },
    });
    expect((await call(`${path}?key=sk-sandbox`, body, {})).status).toBe(200);
  });

  it.each(['m', 'models/a.b-c:d', 'tuned%2Fmodel'])('serves a model named %s, buffered', async (model) => {
    expect(await responseTo('hello', {}, model)).toMatchObject({
      candidates: [
        { index: 0, content: { role: 'model', parts: [{ text: 'You said: hello' }] }, finishReason: 'STOP' },
      ],
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 3, totalTokenCount: 4 },
      modelVersion: decodeURIComponent(model),
    });
  });

  it('streams chunks, with the finish reason in the last', async () => {
    expect(await streamOf('a b c')).toMatchObject([
      { candidates: [{ content: { parts: [{ text: 'You said: a' }] } }] },
      {
        candidates: [{ content: { parts: [{ text: ' b c' }] }, finishReason: 'STOP' }],
        usageMetadata: { candidatesTokenCount: 5 },
      },
    ]);
  });

  it('streams one JSON array without alt=sse, including errors', async () => {
    const path = '/v1beta/models/m:streamGenerateContent';
    expect(await (await call(path, { contents: [user('a b c')] })).json()).toMatchObject([
      {},
      { candidates: [{ finishReason: 'STOP' }] },
    ]);
    expect(await (await call(path, { contents: [user('a b c [error]')] })).json()).toMatchObject([
      {},
      { error: { code: 503 } },
    ]);
  });

  it('streams complete calls, then the finish reason, and a signature on only the first call', async () => {
    const chunks = await streamOf('[tool:w] [tool:w {"city":"Bonn"}]', { tools }, 'gemini-3-pro');
    expect(chunks).toMatchObject([
      {
        candidates: [
          {
            content: {
              parts: [
                {
                  functionCall: { id: expect.any(String), name: 'w', args: { city: 'text' } },
                  thoughtSignature: expect.any(String),
                },
              ],
            },
          },
        ],
      },
      { candidates: [{ content: { parts: [{ functionCall: { name: 'w', args: { city: 'Bonn' } } }] } }] },
      { candidates: [{ content: { parts: [{ text: '' }] }, finishReason: 'STOP' }] },
    ]);
    expect(JSON.stringify(chunks).match(/thoughtSignature/g)).toHaveLength(1);
    expect(JSON.stringify(chunks[0])).not.toContain('finishReason');
  });

  it('completes a tool loop with its signature', async () => {
    const model = 'gemini-3-pro';
    const first = await responseTo('[tool:w]', { tools }, model);
    const { candidates } = first as { candidates: { content: object }[] };
    const result = { functionResponse: { name: 'w', response: { error: 'no such city' } } };
    const contents = [user('[tool:w]'), candidates[0]?.content, { role: 'user', parts: [result] }];
    expect(await responseTo('', { contents, tools }, model)).toMatchObject({
      candidates: [{ content: { parts: [{ text: 'The tool w failed: no such city' }] } }],
      usageMetadata: { cachedContentTokenCount: expect.any(Number) },
    });
  });

  it('shows thoughts only on request, and counts them separately', async () => {
    const shown = { generationConfig: { thinkingConfig: { includeThoughts: true } } };
    expect(await responseTo('hi', shown)).toMatchObject({
      candidates: [
        { content: { parts: [{ thought: true }, { text: 'You said: hi', thoughtSignature: expect.any(String) }] } },
      ],
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 3, thoughtsTokenCount: 10, totalTokenCount: 14 },
    });
    expect(JSON.stringify(await responseTo('[think] hi'))).not.toContain('"thought":');
    const off = { generationConfig: { thinkingConfig: { thinkingBudget: 0 } } };
    expect(JSON.stringify(await responseTo('hi', off))).not.toContain('thought');
  });

  it.each([
    ['[refuse]', {}, { candidates: [{ finishReason: 'SAFETY' }] }],
    ['[filter]', {}, { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } }],
    ['[empty]', {}, { candidates: [{ content: { role: 'model' }, finishReason: 'STOP' }] }],
    ['a b c', { generationConfig: { maxOutputTokens: 3 } }, { candidates: [{ finishReason: 'MAX_TOKENS' }] }],
    [
      'hi',
      { generationConfig: { responseMimeType: 'application/json', responseJsonSchema: schema } },
      { candidates: [{ content: { parts: [{ text: '{"city":"text"}' }] } }] },
    ],
    [
      'hi',
      { tools, toolConfig: { functionCallingConfig: { mode: 'ANY' } } },
      { candidates: [{ content: { parts: [{ functionCall: { name: 'w' } }] } }] },
    ],
    ['[429]', {}, { error: { status: 'RESOURCE_EXHAUSTED', details: [{ retryDelay: '1s' }] } }],
    ['[401]', {}, { error: { code: 400, details: [{ reason: 'API_KEY_INVALID' }] } }],
    ['[context]', {}, { error: { message: expect.stringContaining('exceeds the maximum number of tokens allowed') } }],
  ])('encodes %s with %j', async (text, more, response) => {
    expect(await responseTo(text, more)).toMatchObject(response);
  });

  it('counts tokens, and rejects other verbs', async () => {
    const counted = await call('/v1/models/m:countTokens', { contents: [user('a b c')] });
    expect(await counted.json()).toMatchObject({ totalTokens: 3 });
    expect((await call('/v1/models/m:doNothing', {})).status).toBe(404);
    expect((await call('/v1/models/m', {})).status).toBe(404);
  });
});

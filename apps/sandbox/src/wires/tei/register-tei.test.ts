import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningSandbox, startSandbox } from '../../start-sandbox.ts';

let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const params = { query: 'paper boats', texts: ['taxes', 'a paper boat'] };

function call(body: object, key = 'sk-sandbox') {
  return fetch(`${sandbox.url}/tei/rerank`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}
async function ranked(body: object): Promise<unknown> {
  return await (await call(body)).json();
}

describe('the TEI API', () => {
  it('requires the key, and otherwise responds with only a status', async () => {
    const response = await call(params, 'sk-other');
    expect([response.status, await response.text()]).toEqual([401, '']);
  });

  it('ranks texts, and returns them on request', async () => {
    const score = expect.any(Number);
    expect(await ranked({ ...params, truncate: true, unknown: 1 })).toEqual([
      { index: 1, score },
      { index: 0, score: 0 },
    ]);
    expect(await ranked({ ...params, return_text: true })).toEqual([
      { index: 1, text: 'a paper boat', score },
      { index: 0, text: 'taxes', score: 0 },
    ]);
  });

  it('returns raw scores; normalized scores are their sigmoid', async () => {
    const scores = (await ranked(params)) as { score: number }[];
    const raw = (await ranked({ ...params, raw_scores: true })) as { score: number }[];
    expect(raw[1]?.score).toBeLessThan(-5);
    for (const [at, { score }] of raw.entries()) {
      expect(1 / (1 + Math.exp(-score))).toBeCloseTo(scores[at]?.score ?? Number.NaN, 3);
    }
  });

  it.each([
    [{ ...params, texts: [] }, 400, 'Empty', '`texts` cannot be empty'],
    [
      { ...params, texts: Array.from({ length: 33 }, () => 'a') },
      413,
      'Validation',
      'batch size 33 > maximum allowed batch size 32',
    ],
    [{ ...params, query: 'x [429]' }, 429, 'Overloaded', 'Model is overloaded'],
    [{ ...params, query: 'x [context]' }, 413, 'Validation', expect.stringContaining('must have less than 512 tokens')],
  ])('rejects %j', async (body, status, type, error) => {
    const response = await call(body);
    expect([response.status, await response.json()]).toEqual([status, { error, error_type: type }]);
  });

  it('rejects an unreadable body in plain text', async () => {
    for (const body of [{ texts: ['a'] }, { ...params, texts: 'a' }]) {
      const response = await call(body);
      expect([response.status, response.headers.get('content-type')]).toEqual([
        422,
        expect.stringContaining('text/plain'),
      ]);
      expect(await response.text()).toMatch(/^Failed to deserialize the JSON body into the target type: /);
    }
  });
});

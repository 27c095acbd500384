import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningSandbox, startSandbox } from '../../start-sandbox.ts';
import { MODERATION_KEYWORDS } from './moderation-keywords.ts';

let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const openai = () => new OpenAI({ baseURL: `${sandbox.url}/v1`, apiKey: 'sk-sandbox', maxRetries: 0 });

type Input = OpenAI.ModerationCreateParams['input'];
async function decisions(input: Input) {
  const { results } = await openai().moderations.create({ input });
  return results;
}
async function flagged(input: Input): Promise<string[]> {
  const [decision] = await decisions(input);
  const names = Object.entries(decision?.categories ?? {}).flatMap(([name, is]) => (is === true ? [name] : []));
  expect(decision?.flagged).toBe(names.length > 0);
  return names;
}
const image = (url: string) => [{ type: 'image_url' as const, image_url: { url } }];

describe('openai', () => {
  it('returns a result for each text', async () => {
    const response = await openai().moderations.create({ input: ['a paper boat', 'I will KILL it'] });
    expect(response).toMatchObject({ id: expect.stringMatching(/^modr-/), model: 'omni-moderation-latest' });
    expect(response.results).toMatchObject([
      { flagged: false, categories: { violence: false }, category_scores: { violence: 0.0001 } },
      { flagged: true, categories: { violence: true, hate: false }, category_scores: { violence: 0.9 } },
    ]);
    for (const of of [response.results[0]?.categories, response.results[0]?.category_applied_input_types]) {
      expect(Object.keys(of ?? {})).toEqual(Object.keys(MODERATION_KEYWORDS));
    }
    expect(response.results[0]?.category_applied_input_types.violence).toEqual(['text']);
  });

  it('returns one result for all parts together', async () => {
    const results = await decisions([
      { type: 'text', text: 'a stupid boat' },
      ...image('https://example.com/pictures/killing%20gore%zz.png?size=1'),
    ]);
    expect(results).toHaveLength(1);
    expect(results[0]).toMatchObject({
      categories: { harassment: true, violence: true, 'violence/graphic': true },
      category_applied_input_types: { harassment: ['text'], violence: ['text', 'image'], hate: ['text'] },
    });
    expect(await flagged(image('https://example.com/stupid.png'))).toEqual([]);
    expect(await flagged(image('data:image/png;base64,AAAA'))).toEqual([]);
  });
});

describe('the moderations API', () => {
  it.each(Object.entries(MODERATION_KEYWORDS))('flags %s, and its parent category', async (category, words) => {
    const expected = [category.split('/')[0] ?? '', category];
    for (const word of words) expect(await flagged(`say ${word}!`)).toEqual([...new Set(expected)]);
  });

  it('matches word forms, and not parts of words', async () => {
    expect(await flagged('killing, killed, kills')).toEqual(['violence']);
    expect(await flagged('a skilled bombardment in my life')).toEqual([]);
  });

  it('scores higher for more keywords', async () => {
    const [once, twice] = await decisions(['kill', 'kill kill']);
    expect(twice?.category_scores.violence).toBeGreaterThan(once?.category_scores.violence ?? 1);
  });

  it.each([
    [{}, 'input', 'missing_required_parameter'],
    [{ input: [] }, 'input', 'empty_array'],
    [{ input: 1 }, 'input', 'invalid_type'],
    [{ input: ['a', 1] }, 'input[1]', 'invalid_type'],
    [{ input: [{ type: 'text' }] }, 'input[0].text', 'missing_required_parameter'],
    [{ input: image('ftp://example.com/a.png') }, 'input[0].image_url.url', 'invalid_value'],
    [{ input: [...image('https://a.example/1.png'), ...image('https://a.example/2.png')] }, 'input', null],
    [{ input: image('https://a.example/1.png'), model: 'text-moderation-latest' }, 'input', null],
    [{ input: 'a', user: 'u' }, 'user', 'unknown_parameter'],
  ])('rejects %j', async (body, param, code) => {
    const response = await fetch(`${sandbox.url}/v1/moderations`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk-sandbox', 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { error: { type: 'invalid_request_error', param, code } },
    ]);
  });

  it('requires the key', async () => {
    const other = new OpenAI({ baseURL: `${sandbox.url}/v1`, apiKey: 'sk-other', maxRetries: 0 });
    await expect(other.moderations.create({ input: 'a' })).rejects.toMatchObject({
      status: 401,
      code: 'invalid_api_key',
    });
  });
});

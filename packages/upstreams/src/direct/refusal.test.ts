import { describe, expect, it } from 'vitest';
import { mediaContext } from '../../test/media-context.ts';
import { cohereRefusal } from '../cohere/refusal.ts';
import { googleRefusal } from '../generative-content/google-refusal.ts';
import { jinaRefusal } from '../jina/refusal.ts';
import { wireTools } from '../media/wire-tools.ts';
import { teiRefusal } from '../tei/refusal.ts';
import { openAiRefusal } from './openai-refusal.ts';
import { refusalOf } from './refusal.ts';

const account = { kind: 'vendor', base_url: 'https://api.vendor.example', api_key: 'hunter2hunter2' };

/** Returns the error that a client sees for a vendor's error response. */
async function errorFor(body: unknown, { status = 400, model = 'm', refusal = openAiRefusal } = {}) {
  await using context = mediaContext([]);
  const response = { status, headers: {}, body };
  return refusalOf(refusal(response), response, wireTools(account, context), model);
}

describe('refusalOf › field', () => {
  it.each(['input', 'input[0].text', 'messages[3]', 'session.audio-format'])('is reported: %s', async (param) => {
    expect((await errorFor({ error: { message: 'no', param } })).param).toBe(param);
  });

  it.each([
    'at https://api.vendor.example/v1',
    'hunter2hunter2',
    'api.vendor.com',
    'req_8f3k299ab7',
    '0b4ff6a2-1f0f-4a3e-9d1e-2f6c8a5b7e11',
    'x'.repeat(101),
    'a b',
  ])('is omitted when it may be something else: %s', async (param) => {
    expect((await errorFor({ error: { message: 'no', param } })).param).toBeUndefined();
  });
});

describe('refusalOf › request longer than the context window', () => {
  it.each([
    [openAiRefusal, 400, { error: { message: 'This model’s maximum context length is 8192 tokens' } }],
    [openAiRefusal, 400, { error: { message: 'Too long.', code: 'context_length_exceeded' } }],
    [
      googleRefusal,
      400,
      { error: { message: 'The input token count (9) exceeds the maximum number of tokens allowed' } },
    ],
    [cohereRefusal, 400, { message: 'too many tokens: size limit exceeded by 11326 tokens.' }],
    [jinaRefusal, 422, { detail: 'Single text cannot exceed 8192 tokens. 16384 tokens given' }],
    [teiRefusal, 413, { error: '`inputs` must have less than 512 tokens. Given: 1024', error_type: 'Validation' }],
  ])('is reported the same way for every vendor %#', async (refusal, status, body) => {
    expect(await errorFor(body, { status, refusal })).toMatchObject({ code: 'context_length_exceeded', status: 400 });
  });

  it.each([
    [400, 'The batch is too large'],
    [429, 'Too many tokens per minute'],
    [500, 'maximum context length'],
  ])('is not inferred from status %d: %s', async (status, message) => {
    expect((await errorFor({ error: { message } }, { status })).code).not.toBe('context_length_exceeded');
  });
});

it("names the client's model id, whatever the upstream calls it", async () => {
  const message = "The model 'gpt-4o-transcribe-2025-12-15' does not support translation, says job_8f3k2.";
  const { message: text } = await errorFor({ error: { message } }, { model: 'gpt-4o-transcribe-2025-12-15' });
  expect(text).toBe("The model 'gpt-4o-transcribe-2025-12-15' does not support translation, says [id].");
});

import type { Batch, BatchLineResult } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { chatCompletionsProtocol } from '../chat-completions/index.ts';
import { generativeContentProtocol } from '../generative-content/index.ts';
import { messagesProtocol } from '../messages/index.ts';
import { responsesProtocol } from '../responses/index.ts';
import { createTokenCodec } from '../text/token-codec.ts';
import { batchesEndpoints } from './endpoints.ts';

const endpoints = batchesEndpoints({
  chatCompletions: chatCompletionsProtocol,
  responses: responsesProtocol,
  messages: messagesProtocol,
  generativeContent: generativeContentProtocol,
});
const formatAt = (path: string, headers = {}) =>
  endpoints.find((endpoint) => endpoint.path === path)?.protocol.formatOf(headers, {});
const [openAi, messages, generative] = [
  formatAt('/v1/batches/:batch_id'),
  formatAt('/v1/messages/batches/:batch_id'),
  formatAt('/v1beta/batches/:batch_id'),
];
const digits = '0'.repeat(25);
const batch: Batch = {
  id: `batch_${digits}`,
  protocol: 'openai',
  endpoint: '/v1/chat/completions',
  inputFileId: `file-${digits}`,
  windowMs: 86_400_000,
  metadata: { team: 'search' },
  status: 'in_progress',
  paused: false,
  priority: 0,
  retryUnknown: false,
  ownsInput: false,
  costNanos: 0,
  model: 'm',
  counts: { total: 10, completed: 4, failed: 1, expired: 0, cancelled: 0 },
  errors: [],
  createdAt: 1_767_323_045_000,
  expiresAt: 1_767_409_445_000,
  inProgressAt: 1_767_323_046_000,
};
const ended: Batch = {
  ...batch,
  status: 'expired',
  counts: { total: 10, completed: 4, failed: 1, expired: 3, cancelled: 2 },
  expiredAt: 1_767_409_445_000,
  outputFileId: `file-${'1'.repeat(25)}`,
  errorFileId: `file-${'2'.repeat(25)}`,
};
const encode = (format: typeof openAi, shown: Batch) => format?.encodeBatch(shown, 'http://sluice.test');

describe('a batch', () => {
  it('has OpenAI’s format', () => {
    expect(encode(openAi, batch)).toMatchObject({
      id: batch.id,
      object: 'batch',
      status: 'in_progress',
      completion_window: '24h',
      created_at: 1_767_323_045,
      in_progress_at: 1_767_323_046,
      completed_at: null,
      output_file_id: null,
      errors: null,
      request_counts: { total: 10, completed: 4, failed: 1 },
      metadata: { team: 'search' },
    });
    expect(encode(openAi, ended)).toMatchObject({
      status: 'expired',
      output_file_id: ended.outputFileId,
      request_counts: { total: 10, completed: 4, failed: 6 },
    });
    const errors = [{ code: 'invalid_json_line', message: 'Line 2: No.', line: 2 }];
    expect(encode(openAi, { ...batch, status: 'failed', errors })).toMatchObject({
      errors: { object: 'list', data: [{ ...errors[0], param: null }] },
    });
  });

  it('has Anthropic’s format', () => {
    expect(encode(messages, batch)).toEqual({
      id: batch.id,
      type: 'message_batch',
      processing_status: 'in_progress',
      request_counts: { processing: 10, succeeded: 0, errored: 0, canceled: 0, expired: 0 },
      ended_at: null,
      created_at: '2026-01-02T03:04:05.000Z',
      expires_at: '2026-01-03T03:04:05.000Z',
      archived_at: null,
      cancel_initiated_at: null,
      results_url: null,
    });
    expect(encode(messages, ended)).toMatchObject({
      processing_status: 'ended',
      request_counts: { processing: 0, succeeded: 4, errored: 1, canceled: 2, expired: 3 },
      ended_at: '2026-01-03T03:04:05.000Z',
      results_url: `http://sluice.test/v1/messages/batches/${batch.id}/results`,
    });
    const cancelling: Batch = { ...batch, status: 'cancelling', cancellingAt: batch.createdAt };
    expect(encode(messages, cancelling)).toMatchObject({
      processing_status: 'canceling',
      cancel_initiated_at: '2026-01-02T03:04:05.000Z',
    });
  });

  it('has Google’s format', () => {
    expect(encode(generative, { ...batch, displayName: 'nightly' })).toMatchObject({
      name: `batches/${digits}`,
      done: false,
      metadata: {
        model: 'models/m',
        displayName: 'nightly',
        state: 'BATCH_STATE_RUNNING',
        createTime: '2026-01-02T03:04:05.000Z',
        updateTime: '2026-01-02T03:04:06.000Z',
        batchStats: {
          requestCount: '10',
          successfulRequestCount: '4',
          failedRequestCount: '1',
          pendingRequestCount: '5',
        },
      },
    });
    const output = { responsesFile: `files/batch-${digits}` };
    const completed: Batch = { ...ended, status: 'completed', completedAt: ended.expiresAt };
    expect(encode(generative, completed)).toMatchObject({ done: true, metadata: { output }, response: output });
    expect(encode(generative, ended)).toMatchObject({ error: { code: 4 }, metadata: { output } });
    expect(encode(generative, { ...completed, endpoint: '/v1/embeddings' })).toMatchObject({
      response: { responsesFile: `files/${'1'.repeat(25)}` },
    });
    const failed: Batch = { ...batch, status: 'failed', errors: [{ code: 'x', message: 'Line 1: No.' }] };
    expect(encode(generative, failed)).toMatchObject({ done: true, error: { code: 3, message: 'Line 1: No.' } });
    expect(generative?.encodeBatch(completed, '', [1])).toMatchObject({
      response: { inlinedResponses: { inlinedResponses: [1] } },
    });
  });

  it('has Google’s format under `/v1` for a client of Google', () => {
    expect(formatAt('/v1/batches/:batch_id', { 'x-goog-api-key': 'sk' })?.decodeId?.(digits)).toBe(batch.id);
  });
});

describe('a result', () => {
  const chat = {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
  };
  const result: BatchLineResult = {
    id: `batch_req_${digits}1`,
    custom_id: 'a',
    response: { status_code: 200, request_id: 'req_1', body: chat },
    error: null,
  };
  const context = { batch, tokenCodec: createTokenCodec('secret'), newId: (prefix: string) => `${prefix}1` };
  const read = (format: typeof openAi, shown: BatchLineResult, of: Batch = batch) =>
    format?.results?.encode(shown, { ...context, batch: of });
  const failed = (status_code: number, body: unknown): BatchLineResult => ({
    ...result,
    response: { status_code, request_id: 'req_1', body },
  });

  it('is translated to a message', () => {
    expect(read(messages, result)).toMatchObject({
      custom_id: 'a',
      result: {
        type: 'succeeded',
        message: {
          type: 'message',
          model: 'm',
          content: [{ type: 'text', text: 'Hello' }],
          stop_reason: 'end_turn',
          usage: { input_tokens: 3, output_tokens: 2 },
        },
      },
    });
  });

  it('is translated to Google’s format', () => {
    const response = {
      candidates: [{ content: { role: 'model', parts: [{ text: 'Hello' }] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2 },
    };
    expect(read(generative, result)).toMatchObject({ key: 'a', response });
    const inlined = generative?.results?.encode(result, context, { metadata: { key: 'k' } });
    expect(inlined).toMatchObject({ metadata: { key: 'k' }, response });
    expect(inlined).not.toHaveProperty('key');
  });

  it('keeps a body of the same protocol, and translates those of the others', () => {
    const message = messagesResult('Hi');
    const ofMessages = { ...batch, endpoint: '/v1/messages' };
    expect(read(messages, failed(200, message), ofMessages)).toEqual({
      custom_id: 'a',
      result: { type: 'succeeded', message },
    });
    const parts = [{ content: { parts: [{ text: 'Hi' }] } }];
    expect(read(generative, failed(200, message), ofMessages)).toMatchObject({ response: { candidates: parts } });
    const response = {
      id: 'resp_1',
      object: 'response',
      status: 'completed',
      model: 'm',
      output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hi', annotations: [] }] }],
    };
    const ofResponses = { ...batch, endpoint: '/v1/responses' };
    expect(read(messages, failed(200, response), ofResponses)).toMatchObject({
      result: { message: { content: [{ type: 'text', text: 'Hi' }] } },
    });
    const generated = { candidates: [{ content: { role: 'model', parts: [{ text: 'Hi' }] }, finishReason: 'STOP' }] };
    const ofGenerative = { ...batch, endpoint: '/v1beta/models/m:generateContent' };
    expect(read(messages, failed(200, generated), ofGenerative)).toMatchObject({
      result: { message: { model: 'm', content: [{ type: 'text', text: 'Hi' }] } },
    });
    expect(read(generative, failed(200, generated), ofGenerative)).toEqual({ key: 'a', response: generated });
  });

  it('translates errors', () => {
    const error = {
      message: 'Too long.',
      type: 'invalid_request_error',
      param: 'messages',
      code: 'context_length_exceeded',
    };
    expect(read(messages, failed(400, { error }))).toMatchObject({
      result: {
        type: 'errored',
        error: {
          type: 'error',
          error: { type: 'invalid_request_error', message: expect.stringContaining('Too long.') },
          request_id: 'req_1',
        },
      },
    });
    expect(read(generative, failed(400, { error }))).toMatchObject({ error: { code: 3 } });
    expect(read(generative, failed(429, { error: { message: 'Slow down.' } }))).toMatchObject({
      error: { code: 8, message: 'Slow down.' },
    });
    const overloaded = {
      type: 'error',
      error: { type: 'overloaded_error', message: 'Busy', details: { error_code: 'provider_overloaded' } },
    };
    expect(read(messages, failed(503, overloaded), { ...batch, endpoint: '/v1/messages' })).toMatchObject({
      result: { error: { error: { type: 'overloaded_error' } } },
    });
    expect(read(generative, failed(502, 'no JSON'))).toMatchObject({ error: { code: 13 } });
    expect(read(messages, failed(200, { choices: [] }))).toMatchObject({ result: { type: 'errored' } });
  });

  it.each([
    ['batch_expired', { type: 'expired' }, 4],
    ['batch_cancelled', { type: 'canceled' }, 10],
    ['outcome_unknown', { type: 'errored', error: { error: { type: 'api_error', message: 'Why.' } } }, 13],
    ['request_failed', { type: 'errored', error: { error: { message: 'Why.' } } }, 3],
  ] as const)('shows that a request was not answered: %s', (code, message, rpcCode) => {
    const unanswered: BatchLineResult = { ...result, response: null, error: { code, message: 'Why.' } };
    expect(read(messages, unanswered)).toMatchObject({ custom_id: 'a', result: message });
    expect(read(generative, unanswered)).toMatchObject({ key: 'a', error: { code: rpcCode, message: 'Why.' } });
  });
});

function messagesResult(text: string) {
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [{ type: 'text', text }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  };
}

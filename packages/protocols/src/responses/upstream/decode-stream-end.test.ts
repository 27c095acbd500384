import { describe, expect, it } from 'vitest';
import { decodeStream } from './decode-stream.ts';
import {
  source,
  decodeBytes,
  decode,
  created,
  usage,
  completed,
  done,
  textDelta,
  message,
  expectWellFormed,
} from '../../../test/streams/decoded-responses-stream.ts';

describe('end of a stream', () => {
  it.each([
    ['max_output_tokens', 'length'],
    ['content_filter', 'content_filter'],
    ['steered', 'length'],
  ])('ends a response that is incomplete for %s as %s, with its usage', (reason, finish) => {
    const events = decode(created, textDelta(0, 'Hel'), {
      type: 'response.incomplete',
      response: { status: 'incomplete', incomplete_details: { reason }, output: [], usage },
    });
    expectWellFormed(events);
    expect(events.slice(-3)).toMatchObject([{ finish }, { usage: { inputTokens: 10 } }, { type: 'end' }]);
  });

  it('ends a refusal with its own finish reason', () => {
    const item = message({ type: 'refusal', refusal: 'No.' });
    expect(decode(created, done(0, item), completed)).toContainEqual({ type: 'finish', choice: 0, finish: 'refusal' });
  });

  it.each([
    ['response.failed', { response: { status: 'failed', error: { code: 'server_error', message: 'boom' } } }],
    ['error', { code: 'server_error', message: 'boom', param: null }],
    ['error', { error: { type: 'server_error', message: 'boom' } }],
  ])('converts %s to an error event', (type, fields) => {
    const events = decode(created, { type, ...fields }, completed);
    expect(events).toMatchObject([
      { type: 'start' },
      { type: 'error', error: { code: 'provider_error', message: 'boom' } },
    ]);
  });

  it('recognizes a full context window in a failed response', () => {
    const error = { code: 'context_length_exceeded', message: 'Your input exceeds the context window.' };
    expect(decode(created, { type: 'response.failed', response: { error } }).at(-1)).toMatchObject({
      error: { code: 'context_length_exceeded', retryable: false },
    });
  });

  it('reports an error that replaces a chunk', () => {
    const events = decodeBytes(Buffer.from('data: {"choices":[],"error":{"message":"busy","code":502}}\n\n'));
    expect(events).toMatchObject([{ type: 'error', error: { code: 'provider_error', message: 'busy' } }]);
  });

  it('never completes a truncated stream', () => {
    const events = decode(created, textDelta(0, 'Hel'));
    expect(events.at(-1)).toMatchObject({ type: 'error', error: { code: 'provider_error', retryable: true } });
    expect(events.map(({ type }) => type)).not.toContain('finish');
  });

  it('fails on invalid JSON', () => {
    expect(decodeBytes(Buffer.from('data: <html>\n\n'))).toMatchObject([{ type: 'error' }]);
  });

  it('ignores events after the end of the response', () => {
    expect(decode(created, completed, completed, textDelta(0, 'x')).filter(({ type }) => type === 'end')).toHaveLength(
      1,
    );
  });

  it('ignores [DONE] and unknown events', () => {
    const decoder = decodeStream(source);
    decoder.push({ data: JSON.stringify(created) });
    expect(decoder.push({ data: '[DONE]' })).toEqual([]);
    expect(decoder.push({ data: '{"type":"response.new_thing.delta","delta":"x"}' })).toEqual([]);
  });
});

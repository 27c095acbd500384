import type { StopReason } from '@anthropic-ai/sdk/resources/messages';
import type { FinishReason } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { decodeFinish, encodeFinish } from './stop-reason.ts';

describe('decodeFinish', () => {
  it.each<[string | null, boolean, FinishReason]>([
    ['end_turn', false, 'stop'],
    ['end_turn', true, 'tool_calls'],
    ['tool_use', true, 'tool_calls'],
    ['tool_use', false, 'stop'],
    ['max_tokens', true, 'length'],
    ['stop_sequence', false, 'stop_sequence'],
    ['pause_turn', false, 'pause'],
    ['refusal', false, 'refusal'],
    ['model_context_window_exceeded', false, 'context_window'],
    ['compaction', false, 'other'],
    [null, false, 'other'],
    [null, true, 'tool_calls'],
  ])('reads %s with calls %s as %s', (stop_reason, calls, finish) => {
    expect(decodeFinish({ stop_reason }, calls)).toEqual({ finish });
  });

  it('reads the matched stop sequence and the refusal text', () => {
    const from = { stop_reason: 'refusal', stop_sequence: 'END', stop_details: { explanation: 'No.' } };
    expect(decodeFinish(from, false)).toEqual({ finish: 'refusal', stopSequence: 'END', detail: 'No.' });
  });

  it('forwards the refusal text as one short line', () => {
    const from = { stop_reason: 'refusal', stop_details: { explanation: 'No.\n'.repeat(500) } };
    expect(decodeFinish(from, false).detail).toMatch(/^No\. No\. [^\n]{400,491}…$/);
  });
});

describe('encodeFinish', () => {
  it.each<[FinishReason, StopReason]>([
    ['stop', 'end_turn'],
    ['other', 'end_turn'],
    ['length', 'max_tokens'],
    ['context_window', 'model_context_window_exceeded'],
    ['tool_calls', 'tool_use'],
    ['pause', 'pause_turn'],
    ['content_filter', 'refusal'],
    ['refusal', 'refusal'],
    ['stop_sequence', 'end_turn'],
  ])('writes %s as %s', (finish, reason) => {
    expect(encodeFinish({ finish })).toMatchObject({ stop_reason: reason, stop_sequence: null });
  });

  it('writes the matched stop sequence if it is known', () => {
    expect(encodeFinish({ finish: 'stop_sequence', stopSequence: 'END' })).toEqual({
      stop_reason: 'stop_sequence',
      stop_sequence: 'END',
    });
  });

  it('writes the refusal text', () => {
    expect(encodeFinish({ finish: 'content_filter', detail: 'No.' }).stop_details).toEqual({
      type: 'refusal',
      category: null,
      explanation: 'No.',
    });
  });
});

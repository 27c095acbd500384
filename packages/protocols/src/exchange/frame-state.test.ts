import { describe, expect, it } from 'vitest';
import { chatCompletionsProtocol } from '../chat-completions/index.ts';
import { generativeContentProtocol } from '../generative-content/index.ts';
import { messagesProtocol } from '../messages/index.ts';
import { responsesProtocol } from '../responses/index.ts';
import { readFrameState } from './frame-state.ts';

const protocols = {
  chat: chatCompletionsProtocol,
  responses: responsesProtocol,
  messages: messagesProtocol,
  gemini: generativeContentProtocol,
};
type Name = keyof typeof protocols;

function stateOf(name: Name, data: unknown) {
  return readFrameState(protocols[name], typeof data === 'string' ? data : JSON.stringify(data));
}

describe('readFrameState', () => {
  it.each<[Name, unknown]>([
    ['chat', '[DONE]'],
    ['responses', { type: 'response.completed', response: {} }],
    ['responses', { type: 'response.incomplete', response: {} }],
    ['messages', { type: 'message_stop' }],
  ])('%s: %j is the last frame', (name, data) => {
    expect(stateOf(name, data)).toEqual({ isFinish: true, isLast: true });
  });

  it.each<[Name, unknown]>([
    ['chat', { choices: [{ delta: {}, finish_reason: 'stop' }] }],
    ['gemini', { candidates: [{ finishReason: 'STOP' }] }],
    ['gemini', { promptFeedback: { blockReason: 'SAFETY' } }],
  ])('%s: %j is the finish', (name, data) => {
    expect(stateOf(name, data)).toEqual({ isFinish: true });
  });

  it.each<[Name, unknown]>([
    ['chat', { error: { message: 'm' } }],
    ['chat', { choices: [], error: { message: 'm', code: 502 } }],
    ['chat', { id: 'x', choices: [{ delta: {}, finish_reason: 'error' }], error: { message: 'm' } }],
    ['responses', { type: 'error', message: 'm' }],
    ['responses', { response: { error: { message: 'm' } }, type: 'response.failed' }],
    ['messages', { error: { type: 'overloaded_error', message: 'm' }, type: 'error' }],
    ['gemini', { error: { code: 503, message: 'm' } }],
  ])('%s: %j is an error', (name, data) => {
    expect(stateOf(name, data).error).toBeDefined();
  });

  it.each<[Name, unknown]>([
    ['responses', { type: 'response.created', response: { metadata: { type: 'error', also: 'response.completed' } } }],
    ['responses', { type: 'response.output_text.delta', delta: '"type":"response.completed"' }],
    ['messages', { type: 'content_block_start', content_block: { type: 'error', input: { type: 'message_stop' } } }],
    [
      'gemini',
      { candidates: [{ content: { parts: [{ functionCall: { args: { finishReason: 'x', error: {} } } }] } }] },
    ],
    [
      'chat',
      { choices: [{ delta: { content: '"finish_reason":"stop"' }, finish_reason: null }], metadata: { error: 1 } },
    ],
    ['chat', 'no json "error"'],
  ])('%s: ignores keywords in the data %j', (name, data) => {
    const { isFinish = false, isLast = false, error } = stateOf(name, data);
    expect({ isFinish, isLast, error }).toEqual({ isFinish: false, isLast: false, error: undefined });
  });
});

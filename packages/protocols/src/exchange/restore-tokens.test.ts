import type { Loss, TextProtocolName, TextTarget } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { createTokenCodec } from '../text/token-codec.ts';
import { restoreTokens } from './restore-tokens.ts';

const tokenCodec = createTokenCodec('a secret of the test');

function target(protocol: TextProtocolName): TextTarget {
  return { upstream: 'u', account: 'mine', protocol, model: 'model-1', quirks: {} };
}

function wrap(protocol: TextProtocolName, account: string): string {
  return tokenCodec.wrap({ protocol, account, model: 'model-1', value: 'native' });
}

function restore(protocol: TextProtocolName, body: Record<string, unknown>) {
  const losses: Loss[] = [];
  return { body: restoreTokens(body, target(protocol), tokenCodec, (loss) => losses.push(loss)), losses };
}

function thought(signature: string) {
  return { messages: [{ role: 'assistant', content: [{ type: 'thinking', thinking: 'hm', signature }] }] };
}

const citation = (encrypted_index: string) => ({ type: 'web_search_result_location', encrypted_index });
const cited = (...citations: object[]) => ({
  messages: [{ role: 'assistant', content: [{ type: 'text', text: 'hello', citations }] }],
});
const call = (name: string) => ({ functionCall: { name, args: {} } });

describe('restoreTokens', () => {
  it('restores the vendor’s own signature', () => {
    const { body, losses } = restore('messages', thought(wrap('messages', 'mine')));
    expect(body).toEqual(thought('native'));
    expect(losses).toEqual([]);
  });

  it('removes citations that the gateway translated from another protocol, which is no loss', () => {
    const sent = cited(citation(wrap('chat-completions', 'mine')), citation('the vendor’s own'));
    const { body, losses } = restore('messages', sent);
    expect(body).toEqual(cited(citation('the vendor’s own')));
    expect(losses).toEqual([]);
  });

  it('removes a thinking block of another vendor and leaves its text', () => {
    const text = { type: 'text', text: 'hello' };
    const thinking = { type: 'thinking', thinking: 'hm', signature: wrap('chat-completions', 'other') };
    const { body, losses } = restore('messages', { messages: [{ role: 'assistant', content: [thinking, text] }] });
    expect(body).toEqual({ messages: [{ role: 'assistant', content: [text] }] });
    expect(losses).toEqual([{ field: 'reasoning', how: 'dropped' }]);
  });

  it('removes a turn without other content', () => {
    const thinking = { type: 'redacted_thinking', data: wrap('responses', 'other') };
    const user = { role: 'user', content: 'go on' };
    const { body } = restore('messages', { messages: [{ role: 'assistant', content: [thinking] }, user] });
    expect(body).toEqual({ messages: [user] });
  });

  it('removes a reasoning item of another account', () => {
    const reasoning = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: wrap('responses', 'other') };
    const { body } = restore('responses', { input: [reasoning, { role: 'user', content: 'hi' }] });
    expect(body).toEqual({ input: [{ role: 'user', content: 'hi' }] });
  });

  it('keeps a function call with another vendor’s signature', () => {
    const part = { ...call('f'), thoughtSignature: wrap('messages', 'other') };
    const { body } = restore('generative-content', { contents: [{ role: 'model', parts: [part] }] });
    const unsigned = { ...call('f'), thoughtSignature: 'skip_thought_signature_validator' };
    expect(body).toEqual({ contents: [{ role: 'model', parts: [unsigned] }] });
  });

  it('adds a placeholder signature to the first call of a turn after a removed thought', () => {
    const thinking = { text: 'hm', thought: true, thoughtSignature: wrap('messages', 'other') };
    const contents = [{ role: 'model', parts: [thinking, { text: 'Well.' }, call('f'), call('g')] }];
    const { body } = restore('generative-content', { contents });
    const unsigned = { ...call('f'), thoughtSignature: 'skip_thought_signature_validator' };
    expect(body).toEqual({ contents: [{ role: 'model', parts: [{ text: 'Well.' }, unsigned, call('g')] }] });
  });

  it('adds no placeholder to turns with all their tokens', () => {
    const signed = { functionCall: { name: 'f', args: {} }, thoughtSignature: wrap('generative-content', 'mine') };
    const plain = { role: 'model', parts: [{ functionCall: { name: 'f', args: {} } }] };
    const { body } = restore('generative-content', { contents: [plain, { role: 'model', parts: [signed] }] });
    expect(body).toEqual({ contents: [plain, { role: 'model', parts: [{ ...signed, thoughtSignature: 'native' }] }] });
  });

  it('removes the empty extra_content from a chat completions call', () => {
    const plainCall = { id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } };
    const callWithToken = { ...plainCall, extra_content: { google: { thought_signature: wrap('messages', 'other') } } };
    const { body } = restore('chat-completions', { messages: [{ role: 'assistant', tool_calls: [callWithToken] }] });
    expect(body).toEqual({ messages: [{ role: 'assistant', tool_calls: [plainCall] }] });
  });

  it('does not change the vendor’s own tokens or its input', () => {
    const body = {
      messages: [{ role: 'assistant', content: [{ type: 'thinking', thinking: '', signature: 'EqQB' }] }],
    };
    const before = structuredClone(body);
    expect(restore('messages', body).body).toEqual(before);
    expect(body).toEqual(before);
  });
});

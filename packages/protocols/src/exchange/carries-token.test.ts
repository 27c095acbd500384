import type { TextProtocolName, TextTarget } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { chatCompletionsProtocol } from '../chat-completions/index.ts';
import { messagesProtocol } from '../messages/index.ts';
import { createTokenCodec } from '../text/token-codec.ts';
import { carriesToken } from './carries-token.ts';
import { readTextRequest } from './text-request.ts';

const tokenCodec = createTokenCodec('a secret of the test');

function target(protocol: TextProtocolName): TextTarget {
  return { upstream: 'u', account: 'mine', protocol, model: 'model-1', quirks: {} };
}

function wrap(protocol: TextProtocolName, account: string): string {
  return tokenCodec.wrap({ protocol, account, model: 'model-1', value: 'native' });
}

function carries(block: object, protocol: TextProtocolName): boolean {
  const body = { model: 'm', max_tokens: 9, messages: [{ role: 'assistant', content: [block] }] };
  const request = readTextRequest(messagesProtocol, Buffer.from(JSON.stringify(body)));
  return carriesToken(request, target(protocol), tokenCodec);
}

const thinking = (signature: string) => ({ type: 'thinking', thinking: 'hm', signature });

describe('carriesToken', () => {
  it('finds a token that the gateway encoded for the account of the target', () => {
    expect(carries(thinking(wrap('responses', 'mine')), 'responses')).toBe(true);
    expect(carries(thinking(wrap('responses', 'other')), 'responses')).toBe(false);
  });

  it('finds a token of an unknown account if the target would receive it unchanged', () => {
    expect(carries(thinking('native'), 'messages')).toBe(true);
    expect(carries(thinking('native'), 'responses')).toBe(false);
    expect(carries(thinking(''), 'messages')).toBe(false);
  });

  it('finds redacted thinking, but not the data of an image', () => {
    expect(carries({ type: 'redacted_thinking', data: 'native' }, 'messages')).toBe(true);
    const source = { type: 'base64', media_type: 'image/png', data: 'AAAA' };
    expect(carries({ type: 'image', source }, 'messages')).toBe(false);
  });

  it('finds no token in a request without tokens', () => {
    const body = { model: 'm', messages: [{ role: 'user', content: 'hello' }] };
    const request = readTextRequest(chatCompletionsProtocol, Buffer.from(JSON.stringify(body)));
    expect(carriesToken(request, target('chat-completions'), tokenCodec)).toBe(false);
  });
});

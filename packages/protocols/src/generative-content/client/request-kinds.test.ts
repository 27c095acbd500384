import type { GatewayError } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { createTokenCodec } from '../../text/token-codec.ts';
import { decodeRequest } from './decode-request.ts';

function decode(body: Record<string, unknown>): unknown {
  const tokenCodec = createTokenCodec('a secret of the test');
  return decodeRequest({ body, model: 'm', stream: false, tokenCodec, report: () => undefined });
}

const part = (one: unknown) => ({ contents: [{ role: 'user', parts: [one] }] });

describe('request fields of the wrong type', () => {
  it.each([
    [part({ text: 5 }), 'contents[0][parts][0][text]'],
    [part({ inlineData: 5 }), 'contents[0][parts][0][inlineData]'],
    [part({ inline_data: { mime_type: 'image/png', data: 5 } }), 'contents[0][parts][0][inlineData][data]'],
    [part({ functionCall: { name: 'f', args: 5 } }), 'contents[0][parts][0][functionCall][args]'],
    [{ contents: [{ parts: 5 }] }, 'contents[0][parts]'],
    [{ ...part({ text: 'hi' }), toolConfig: { functionCallingConfig: 5 } }, 'toolConfig[functionCallingConfig]'],
    [{ ...part({ text: 'hi' }), generationConfig: { responseSchema: 5 } }, 'generationConfig[responseSchema]'],
  ])('rejects %j', (body, param) => {
    expect(() => decode(body)).toThrow(expect.objectContaining({ code: 'invalid_request', param }) as GatewayError);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GatewayError } from '@sluice/canonical';
import { decodeSpeech } from './speech-request.ts';

const good = { model: 'm', input: 'kite', voice: 'ash' };

describe('speech requests', () => {
  it('reads all fields and forwards unknown ones', () => {
    const fields = { instructions: 'low', response_format: 'wav', speed: 0.25, stream_format: 'sse', pitch: 1 };
    expect(decodeSpeech({ ...good, ...fields })).toEqual({
      model: 'm',
      params: {
        input: 'kite',
        voice: 'ash',
        instructions: 'low',
        format: 'wav',
        speed: 0.25,
        asEvents: true,
        foreign: { protocol: 'openai', fields: { pitch: 1 } },
      },
    });
  });

  it('accepts null and blank optional fields', () => {
    const blank = { instructions: '', response_format: null, speed: null, stream_format: null };
    expect(decodeSpeech({ ...good, ...blank }).params).toEqual({
      input: 'kite',
      voice: 'ash',
      asEvents: false,
      foreign: { protocol: 'openai', fields: {} },
    });
  });

  it('allows 4,096 characters of any kind', () => {
    const input = '🪁'.repeat(4096);
    expect(decodeSpeech({ ...good, input }).params.input).toBe(input);
  });

  it('reads or rejects any input', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.jsonValue(),
          fc.record({ model: fc.constant('m'), voice: fc.constant('v'), input: fc.jsonValue(), speed: fc.jsonValue() }),
        ),
        (body) => {
          try {
            decodeSpeech(body);
          } catch (error) {
            expect(error).toBeInstanceOf(GatewayError);
            expect(error).toMatchObject({ code: 'invalid_request' });
          }
        },
      ),
    );
  });
});

import { GatewayError } from '@sluice/canonical';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeTranscription } from './transcription-request.ts';

describe('transcription forms', () => {
  it('reads all fields and forwards unknown ones in order, with their names', () => {
    expect(
      decodeTranscription('transcribe', [
        ['model', 'm'],
        ['language', 'de'],
        ['include[]', 'logprobs'],
        ['prompt', 'A kite.'],
        ['temperature', '0.5'],
        ['response_format', 'text'],
        ['stream', 'true'],
        ['known_speaker_names[]', 'Ann'],
        ['known_speaker_names[]', 'Bob'],
        ['chunking_strategy', { type: 'server_vad' }],
      ]),
    ).toEqual({
      model: 'm',
      fields: {
        language: 'de',
        prompt: 'A kite.',
        temperature: 0.5,
        format: 'text',
        stream: true,
        others: [
          ['include[]', 'logprobs'],
          ['known_speaker_names[]', 'Ann'],
          ['known_speaker_names[]', 'Bob'],
          ['chunking_strategy', '{"type":"server_vad"}'],
        ],
      },
    });
  });

  it.each([
    [[['timestamp_granularities[]', 'word'] as const, ['timestamp_granularities[]', 'segment'] as const]],
    [[['timestamp_granularities[0]', 'word'] as const, ['timestamp_granularities[1]', 'segment'] as const]],
    [[['timestamp_granularities', 'word'] as const, ['timestamp_granularities', 'segment'] as const]],
    [[['timestamp_granularities', 'word, segment'] as const]],
    [[['timestamp_granularities', '["word","segment"]'] as const]],
  ])('accepts granularities as %j', (form) => {
    expect(decodeTranscription('transcribe', form).fields.granularities).toEqual(['word', 'segment']);
  });

  it('accepts partial forms and treats blank fields as unset', () => {
    expect(
      decodeTranscription('transcribe', [
        ['model', ''],
        ['language', ''],
      ]),
    ).toEqual({
      fields: { stream: false, others: [] },
    });
  });

  it('rejects a list of 300,000 items without a stack overflow', () => {
    const field = 'timestamp_granularities';
    expect(() => decodeTranscription('transcribe', [[field, ',word'.repeat(300_000)]])).toThrow(
      expect.objectContaining({ code: 'invalid_request', param: field }),
    );
  });

  it('forwards the language of a translation and rejects streaming', () => {
    const { fields } = decodeTranscription('translate', [
      ['language', 'de'],
      ['stream', 'false'],
    ]);
    expect(fields).toEqual({ stream: false, others: [['language', 'de']] });
    expect(() => decodeTranscription('translate', [['stream', 'true']])).toThrow(
      expect.objectContaining({ code: 'unsupported_parameter', param: 'stream' }),
    );
  });

  it.each(['srt', 'vtt'])('does not stream %s, which has no events', (format) => {
    const fields = [['response_format', format] as const, ['stream', 'true'] as const];
    for (const form of [fields, fields.toReversed()]) {
      expect(() => decodeTranscription('transcribe', form)).toThrow(
        expect.objectContaining({ code: 'invalid_request', param: 'stream' }),
      );
    }
    expect(decodeTranscription('transcribe', [['response_format', format]]).fields.format).toBe(format);
  });

  it('reads or rejects any input', () => {
    const names = fc.oneof(fc.string(), fc.constantFrom('model', 'temperature', 'timestamp_granularities[]', 'stream'));
    const values = fc.oneof(fc.string(), fc.jsonValue());
    fc.assert(
      fc.property(fc.array(fc.tuple(names, values)), (fields) => {
        try {
          decodeTranscription('transcribe', fields);
        } catch (error) {
          expect(error).toBeInstanceOf(GatewayError);
          expect(error).toMatchObject({ code: 'invalid_request' });
        }
      }),
    );
  });
});

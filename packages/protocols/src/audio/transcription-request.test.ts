import { GatewayError } from '@sluice/canonical';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeTranscription } from './transcription-request.ts';

describe('the form of a transcription', () => {
  it('is read with all its fields; what is not known rides along, in order and under its own name', () => {
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
        riding: [
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
  ])('may spell its granularities as %j', (given) => {
    expect(decodeTranscription('transcribe', given).fields.granularities).toEqual(['word', 'segment']);
  });

  it('may have no fields yet, and blank ones count as unset', () => {
    expect(
      decodeTranscription('transcribe', [
        ['model', ''],
        ['language', ''],
      ]),
    ).toEqual({
      fields: { stream: false, riding: [] },
    });
  });

  it('takes a list of any length to refuse it', () => {
    const field = 'timestamp_granularities';
    expect(() => decodeTranscription('transcribe', [[field, ',word'.repeat(300_000)]])).toThrow(
      expect.objectContaining({ code: 'invalid_request', param: field }),
    );
  });

  it('of a translation has no language of ours, which rides along, and is no stream', () => {
    const { fields } = decodeTranscription('translate', [
      ['language', 'de'],
      ['stream', 'false'],
    ]);
    expect(fields).toEqual({ stream: false, riding: [['language', 'de']] });
    expect(() => decodeTranscription('translate', [['stream', 'true']])).toThrow(
      expect.objectContaining({ code: 'unsupported_parameter', param: 'stream' }),
    );
  });

  it.each(['srt', 'vtt'])('is no stream of %s, which has no events', (format) => {
    const fields = [['response_format', format] as const, ['stream', 'true'] as const];
    for (const given of [fields, fields.toReversed()]) {
      expect(() => decodeTranscription('transcribe', given)).toThrow(
        expect.objectContaining({ code: 'invalid_request', param: 'stream' }),
      );
    }
    expect(decodeTranscription('transcribe', [['response_format', format]]).fields.format).toBe(format);
  });

  it('is refused by name or read, whatever it is', () => {
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

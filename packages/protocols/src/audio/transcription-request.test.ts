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
        ['response_format', 'srt'],
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
        format: 'srt',
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

  it('of a translation has no language and no stream of ours: they ride along', () => {
    const { fields } = decodeTranscription('translate', [
      ['language', 'de'],
      ['stream', 'true'],
    ]);
    expect(fields).toEqual({
      stream: false,
      riding: [
        ['language', 'de'],
        ['stream', 'true'],
      ],
    });
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

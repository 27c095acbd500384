import type { GenerationRequest, Loss, TextQuirks } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { encodeGenerationConfig } from './encode-generation-config.ts';

function encode(request: Partial<GenerationRequest>, quirks: TextQuirks = {}, losses: Loss[] = []) {
  return encodeGenerationConfig(
    { protocol: 'chat-completions', model: 'm', stream: false, messages: [], tools: [], ...request },
    { upstream: 'g', account: 'a', protocol: 'generative-content', model: 'gemini-3-pro', quirks },
    (loss) => losses.push(loss),
  );
}

describe('encodeGenerationConfig', () => {
  it('returns undefined without settings', () => {
    expect(encode({ choices: 1, format: { type: 'text' }, modalities: ['text'] })).toBeUndefined();
  });

  it('writes every setting', () => {
    expect(
      encode({
        temperature: 1,
        topP: 0.9,
        topK: 5,
        seed: 1,
        choices: 2,
        maxOutputTokens: 10,
        presencePenalty: 1,
        frequencyPenalty: -1,
        stop: ['a'],
        format: { type: 'json' },
      }),
    ).toEqual({
      temperature: 1,
      topP: 0.9,
      topK: 5,
      seed: 1,
      candidateCount: 2,
      maxOutputTokens: 10,
      presencePenalty: 1,
      frequencyPenalty: -1,
      stopSequences: ['a'],
      responseMimeType: 'application/json',
    });
  });

  it('keeps the first five stop sequences and reports the rest', () => {
    const losses: Loss[] = [];
    expect(encode({ stop: ['1', '2', '3', '4', '5', '6'] }, {}, losses)).toEqual({
      stopSequences: ['1', '2', '3', '4', '5'],
    });
    expect(losses).toEqual([{ field: 'stop', how: 'clamped' }]);
  });

  it('writes a complete or a reduced schema', () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false };
    const format = { type: 'schema', name: 'x', schema } as const;
    expect(encode({ format })).toEqual({
      responseMimeType: 'application/json',
      responseJsonSchema: { ...schema, title: 'x' },
    });
    expect(encode({ format }, { full_schema: false })).toEqual({
      responseMimeType: 'application/json',
      responseSchema: { type: 'OBJECT', properties: { a: { type: 'STRING' } } },
    });
  });

  it('requests images and speech', () => {
    expect(encode({ modalities: ['text', 'image'] })).toEqual({ responseModalities: ['TEXT', 'IMAGE'] });
    expect(encode({ modalities: ['text', 'audio'], audio: { voice: 'Kore' } })).toEqual({
      responseModalities: ['AUDIO'],
      speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: 'Kore' } } },
    });
  });

  it('reports settings without an equivalent', () => {
    const losses: Loss[] = [];
    encode(
      { topLogprobs: 2, temperature: 3, modalities: ['audio'], audio: { format: 'mp3', voice: { id: 'v' } } },
      {},
      losses,
    );
    expect(losses).toEqual([
      { field: 'logprobs', how: 'dropped' },
      { field: 'temperature', how: 'clamped' },
      { field: 'audio.format', how: 'dropped' },
      { field: 'audio.voice', how: 'dropped' },
    ]);
  });

  it('omits sampling if the model rejects it', () => {
    const losses: Loss[] = [];
    expect(encode({ temperature: 1, topK: 5, seed: 1 }, { sampling: false }, losses)).toEqual({ seed: 1 });
    expect(losses.map(({ field }) => field)).toEqual(['temperature', 'top_k']);
  });

  it('rejects more choices than the API allows', () => {
    expect(() => encode({ choices: 9 })).toThrow(
      expect.objectContaining({ code: 'unsupported_parameter', param: 'n' }),
    );
  });
});

import type { Loss } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { decodeGenerationConfig } from './decode-generation-config.ts';

const decode = (config: Record<string, unknown>, losses: Loss[] = []) =>
  decodeGenerationConfig(config, (loss) => losses.push(loss));

describe('decodeGenerationConfig', () => {
  it('reads every setting', () => {
    expect(
      decode({
        temperature: 0.5,
        topP: 0.9,
        topK: 40,
        candidateCount: 2,
        maxOutputTokens: '100',
        stopSequences: ['END'],
        responseLogprobs: true,
        logprobs: 3,
        presencePenalty: 0.1,
        frequencyPenalty: 0.2,
        seed: 7,
        responseMimeType: 'application/json',
        responseModalities: ['TEXT', 'IMAGE'],
      }),
    ).toEqual({
      temperature: 0.5,
      topP: 0.9,
      topK: 40,
      choices: 2,
      maxOutputTokens: 100,
      stop: ['END'],
      topLogprobs: 3,
      presencePenalty: 0.1,
      frequencyPenalty: 0.2,
      seed: 7,
      format: { type: 'json' },
      modalities: ['text', 'image'],
    });
  });

  it('treats empty values as absent', () => {
    const empty = {
      stopSequences: [],
      responseModalities: [],
      responseSchema: {},
      thinkingConfig: {},
      speechConfig: {},
      candidateCount: 0,
      maxOutputTokens: 0,
    };
    expect(decode(empty)).toEqual({});
    expect(decode({ responseModalities: ['TEXT'], candidateCount: 1 })).toEqual({});
  });

  it.each([
    [{ thinkingBudget: 0 }, { enabled: false }],
    [{ thinkingBudget: -1 }, { adaptive: true }],
    [
      { thinkingBudget: 2048, includeThoughts: true },
      { budgetTokens: 2048, visible: 'summary' },
    ],
    [{ thinkingLevel: 'HIGH' }, { effort: 'high' }],
    [{ includeThoughts: false }, { visible: 'none' }],
    [{ thinkingLevel: 'THINKING_LEVEL_UNSPECIFIED' }, undefined],
  ])('reads the thinking %j', (thinkingConfig, reasoning) => {
    expect(decode({ thinkingConfig }).reasoning).toEqual(reasoning);
  });

  it('reads both kinds of response schema', () => {
    const format = {
      type: 'schema',
      name: 'response',
      schema: { type: 'object', properties: { a: { type: 'string' } } },
    };
    expect(decode({ responseSchema: { type: 'OBJECT', properties: { a: { type: 'STRING' } } } }).format).toEqual(
      format,
    );
    expect(decode({ responseJsonSchema: format.schema }).format).toEqual(format);
  });

  it('reads a voice by name and keeps other speech settings as they are', () => {
    const one = { voiceConfig: { prebuiltVoiceConfig: { voiceName: 'Kore' } } };
    expect(decode({ speechConfig: one }).audio).toEqual({ voice: 'Kore' });
    const withLanguage = { ...one, languageCode: 'de-DE' };
    expect(decode({ speechConfig: withLanguage }).audio).toEqual({ voice: withLanguage });
  });

  it('reports fields that the canonical model cannot represent', () => {
    const losses: Loss[] = [];
    decode({ imageConfig: { aspectRatio: '1:1' }, responseMimeType: 'text/x.enum' }, losses);
    expect(losses).toEqual([
      { field: 'generationConfig.imageConfig', how: 'dropped' },
      { field: 'generationConfig.responseMimeType', how: 'dropped' },
    ]);
  });

  it.each([
    [{ temperature: 'warm' }, 'invalid_request', 'generationConfig[temperature]'],
    [{ stopSequences: 'END' }, 'invalid_request', 'generationConfig[stopSequences]'],
    [{ responseModalities: ['VIDEO'] }, 'unsupported_parameter', 'generationConfig[responseModalities]'],
  ])('rejects %j', (config, code, param) => {
    expect(() => decode(config)).toThrow(expect.objectContaining({ code, param }));
  });
});

import { describe, expect, it } from 'vitest';
import { refuseAmbiguousMembers } from './ambiguous-members.ts';
import { jsonMembers } from './json-members.ts';
import { jsonSkeleton } from './json-skeleton.ts';

function check(text: string): void {
  const skeleton = jsonSkeleton(Buffer.from(text));
  refuseAmbiguousMembers({ skeleton, members: jsonMembers(skeleton.text) ?? new Map() });
}

describe('refuseAmbiguousMembers', () => {
  it.each([
    ['MODEL', 'MODEL'],
    ['Model', 'Model'],
    ['model\\u0000', 'model\\u0000'],
    ['model\\u0000x', 'model\\u0000x'],
    ['model\\u200b', 'model\u200b'],
    [' model', ' model'],
    ['\\u006dODEL', 'mODEL'],
    ['ｍｏｄｅｌ', 'ｍｏｄｅｌ'],
    ['MAX_TOKENS', 'MAX_TOKENS'],
    ['maxTokens', 'maxTokens'],
    ['MAX_TOKEN\\u017f', 'MAX_TOKENſ'],
    ['max_to\u212aens', 'max_to\u212aens'],
    ['EXTRA_BODY', 'EXTRA_BODY'],
    ['Tools', 'Tools'],
    ['N', 'N'],
    ['__proto__', '__proto__'],
    ['constructor', 'constructor'],
  ])('refuses the name "%s"', (name, param) => {
    const refusal = expect.objectContaining({ code: 'unsupported_parameter', param });
    expect(() => check(`{"model":"cheap","${name}":"expensive"}`)).toThrow(refusal);
  });

  it.each([
    ['extra_body', 'MAX_TOKENS'],
    ['extra_body', '__proto__'],
    ['reasoning', 'Max_Tokens'],
    ['generationConfig', 'MaxOutputTokens'],
    ['options', 'NUM_PREDICT'],
  ])('refuses names in %s', (object, name) => {
    const refusal = expect.objectContaining({ code: 'unsupported_parameter', param: `${object}[${name}]` });
    expect(() => check(`{"${object}":{"${name}":9}}`)).toThrow(refusal);
  });

  it('refuses a limit that appears twice in an object', () => {
    const refusal = expect.objectContaining({ code: 'invalid_request', param: 'reasoning[max_tokens]' });
    expect(() => check('{"reasoning":{"max_tokens":1,"max_tokens":900}}')).toThrow(refusal);
  });

  it('accepts documented and unknown names', () => {
    check(
      '{"model":"m","max_tokens":1,"n":1,"Novel":1,"größe":2,"extra_body":{"google":{}},"reasoning":{"effort":"low"}}',
    );
    check('{"generationConfig":{"maxOutputTokens":1,"candidateCount":1,"topP":1},"systemInstruction":{}}');
  });
});

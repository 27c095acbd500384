import { GatewayError } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { nestedTooDeeply } from './nesting-error.ts';

const body = (text: string) => Buffer.from(text);
const lists = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const stackEnd = new RangeError('Maximum call stack size exceeded');

describe('a stack that has ended', () => {
  it('is the client’s doing when its body is nested deeply', () => {
    for (const text of [lists(501), `{"a":${lists(500)}}`, '{"a":'.repeat(501) + '1' + '}'.repeat(501)]) {
      expect(nestedTooDeeply(stackEnd, body(text))).toMatchObject({ code: 'invalid_request', cause: stackEnd });
    }
  });

  it('is so too when the attempt at an upstream has ended with it', () => {
    const told = new GatewayError('internal_error', 'Something went wrong here.', { cause: stackEnd });
    expect(nestedTooDeeply(told, body(lists(501)))).toMatchObject({ code: 'invalid_request' });
    expect(nestedTooDeeply(told, body(lists(1)))).toBeUndefined();
  });

  it('is a bug of ours when the body is not', () => {
    expect(nestedTooDeeply(stackEnd, body(lists(500)))).toBeUndefined();
    // Neither many things side by side nor brackets in a text are depth.
    expect(nestedTooDeeply(stackEnd, body(`[${'[],'.repeat(10_000)}[]]`))).toBeUndefined();
    expect(nestedTooDeeply(stackEnd, body(JSON.stringify({ a: `\\"${lists(900)}`, b: '\\' })))).toBeUndefined();
    expect(nestedTooDeeply(stackEnd, body(''))).toBeUndefined();
    expect(nestedTooDeeply(stackEnd, undefined)).toBeUndefined();
  });
});

it('other errors are what they are', () => {
  expect(nestedTooDeeply(new TypeError('x'), body(lists(10_000)))).toBeUndefined();
});

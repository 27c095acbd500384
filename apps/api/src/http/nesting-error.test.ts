import { GatewayError } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { nestingError } from './nesting-error.ts';

const body = (text: string) => Buffer.from(text);
const lists = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const stackEnd = new RangeError('Maximum call stack size exceeded');

describe('a stack overflow', () => {
  it('is a client error if the body is nested deeply', () => {
    for (const text of [lists(501), `{"a":${lists(500)}}`, '{"a":'.repeat(501) + '1' + '}'.repeat(501)]) {
      expect(nestingError(stackEnd, body(text))).toMatchObject({ code: 'invalid_request', cause: stackEnd });
    }
  });

  it('is a client error even if it failed an upstream attempt', () => {
    const failure = new GatewayError('internal_error', 'Internal error.', { cause: stackEnd });
    expect(nestingError(failure, body(lists(501)))).toMatchObject({ code: 'invalid_request' });
    expect(nestingError(failure, body(lists(1)))).toBeUndefined();
  });

  it('is an internal error if the body is not nested deeply', () => {
    expect(nestingError(stackEnd, body(lists(500)))).toBeUndefined();
    // Neither adjacent brackets nor brackets in a string add depth.
    expect(nestingError(stackEnd, body(`[${'[],'.repeat(10_000)}[]]`))).toBeUndefined();
    expect(nestingError(stackEnd, body(JSON.stringify({ a: `\\"${lists(900)}`, b: '\\' })))).toBeUndefined();
    expect(nestingError(stackEnd, body(''))).toBeUndefined();
    expect(nestingError(stackEnd, undefined)).toBeUndefined();
  });
});

it('other errors are unchanged', () => {
  expect(nestingError(new TypeError('x'), body(lists(10_000)))).toBeUndefined();
});

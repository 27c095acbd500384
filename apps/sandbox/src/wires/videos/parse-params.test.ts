import { describe, expect, it } from 'vitest';
import { parseParams } from './parse-params.ts';

function parse(fields: Record<string, unknown>) {
  return parseParams(new Map(Object.entries(fields)));
}

describe('parseParams', () => {
  it('requires only a prompt', () => {
    expect(parse({ prompt: 'kite' })).toEqual({
      prompt: 'kite',
      model: 'sandbox-video',
      seconds: 4,
      width: 320,
      height: 176,
    });
  });

  it('accepts seconds as number or text', () => {
    expect(parse({ prompt: 'kite', seconds: 8 }).seconds).toBe(8);
    expect(parse({ prompt: 'kite', seconds: '2.5' }).seconds).toBe(2.5);
  });

  it.each([
    [{}, 'prompt', 'missing_required_parameter'],
    [{ prompt: ' ' }, 'prompt', 'missing_required_parameter'],
    [{ prompt: 5 }, 'prompt', 'invalid_type'],
    [{ prompt: 'kite', model: [] }, 'model', 'invalid_type'],
    [{ prompt: 'kite', seconds: '0' }, 'seconds', 'invalid_value'],
    [{ prompt: 'kite', seconds: 61 }, 'seconds', 'invalid_value'],
    [{ prompt: 'kite', seconds: 'long' }, 'seconds', 'invalid_value'],
    [{ prompt: 'kite', seconds: {} }, 'seconds', 'invalid_type'],
    [{ prompt: 'kite', size: '1280*720' }, 'size', 'invalid_value'],
    [{ prompt: 'kite', size: '14x16' }, 'size', 'invalid_value'],
    [{ prompt: 'kite', size: '321x176' }, 'size', 'invalid_value'],
    [{ prompt: 'kite', size: '1922x1080' }, 'size', 'invalid_value'],
  ])('rejects %j', (fields, param, code) => {
    let body: unknown;
    try {
      parse(fields);
    } catch (error) {
      body = error instanceof Error && 'body' in error && typeof error.body === 'function' ? error.body() : error;
    }
    expect(body).toMatchObject({ error: { param, code, type: 'invalid_request_error' } });
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readJob, readPage, readWireError } from './wire.ts';

const at = (created_at: unknown) => readJob({ created_at })?.createdAt;

describe('readJob', () => {
  it('reads a complete video object', () => {
    const wire = {
      id: 'up_1',
      object: 'video',
      model: 'sora-2',
      status: 'in_progress',
      progress: 30,
      created_at: 1_767_323_045,
      expires_at: null,
      seconds: '5',
      size: '1280x720',
      prompt: 'a red kite',
      error: null,
    };
    expect(readJob(wire)).toEqual({
      id: 'up_1',
      status: 'in_progress',
      progress: 30,
      model: 'sora-2',
      prompt: 'a red kite',
      seconds: '5',
      size: '1280x720',
      createdAt: 1_767_323_045_000,
    });
  });

  it('omits unreadable fields and keeps the rest', () => {
    const odd = { id: 'a', progress: -3, seconds: 'long', size: '16:9', created_at: 'today', status: 'Done', url: 7 };
    expect(readJob(odd)).toEqual({ id: 'a', status: 'done', url: '7' });
  });

  it('accepts times in seconds, milliseconds, and as dates', () => {
    expect([at(1_767_323_045), at(1_767_323_045_000), at('1767323045'), at('2026-01-02T03:04:05Z'), at(0)]).toEqual([
      1_767_323_045_000,
      1_767_323_045_000,
      1_767_323_045_000,
      1_767_323_045_000,
      undefined,
    ]);
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        readJob(value);
        readPage(value);
        readWireError(value);
      }),
    );
  });
});

describe('readWireError', () => {
  it.each([
    [{ error: { code: 'c', type: 't', message: 'm' } }, { code: 'c', type: 't', message: 'm' }],
    [{ error: 'words' }, { message: 'words' }],
    [
      { code: 'c', message: 'm', data: null },
      { code: 'c', message: 'm' },
    ],
    [{ data: { error: { message: 'inner' } } }, { message: 'inner' }],
    [{ data: { fail_reason: 'inner' } }, { message: 'inner' }],
    [{ error: {} }, undefined],
    ['text', undefined],
  ])('%o', (body, expected) => {
    expect(readWireError(body)).toEqual(expected);
  });
});

describe('readPage', () => {
  it('reads valid jobs and the cursor of the next page', () => {
    expect(readPage({ data: [{ id: 'a' }, 1, { id: 'b' }], has_more: true })).toEqual({
      jobs: [{ id: 'a' }, { id: 'b' }],
      hasMore: true,
      lastId: 'b',
    });
    expect(readPage({ data: [], last_id: 'z', has_more: 'yes' })).toEqual({ jobs: [], lastId: 'z' });
    expect(readPage({ items: [] })).toBeUndefined();
  });
});

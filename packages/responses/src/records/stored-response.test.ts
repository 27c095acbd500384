import { describe, expect, it } from 'vitest';
import { isOpen, newResponseId, type StoredResponse } from './stored-response.ts';

describe('a stored response', () => {
  it('has an unguessable id', () => {
    expect(newResponseId()).toMatch(/^resp_[0-9a-f]{32}$/);
    expect(newResponseId()).not.toBe(newResponseId());
  });

  it.each<[StoredResponse['status'], boolean]>([
    ['queued', true],
    ['in_progress', true],
    ['completed', false],
    ['incomplete', false],
    ['failed', false],
    ['cancelled', false],
  ])('with status %s is open: %s', (status, open) => {
    expect(isOpen({ status })).toBe(open);
  });
});

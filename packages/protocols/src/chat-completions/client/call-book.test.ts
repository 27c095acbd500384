import { describe, expect, it } from 'vitest';
import { createCallBook } from './call-book.ts';

const call = (callId: string, name: string) =>
  ({ type: 'tool-call', callId, name, kind: 'function', arguments: '' }) as const;

describe('CallBook', () => {
  it('finds calls by id, answered or not, and returns each open one once, oldest first', () => {
    const book = createCallBook();
    for (const one of [call('a', 'f'), call('b', 'g'), call('c', 'f')]) book.add(one);
    book.markAnswered('a');
    expect(book.find('a')?.name).toBe('f');
    expect(book.takeOldest('f')?.callId).toBe('c');
    expect(book.takeOldest('f')).toBeUndefined();
    expect(book.takeOldest()?.callId).toBe('b');
    expect(book.takeOldest()).toBeUndefined();
  });
});

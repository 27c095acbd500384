import { describe, expect, it } from 'vitest';
import { createCallHistory } from './call-history.ts';

const call = (callId: string, name: string) =>
  ({ type: 'tool-call', callId, name, kind: 'function', arguments: '' }) as const;

describe('createCallHistory', () => {
  it('finds every call by id and returns each unresolved call once, oldest first', () => {
    const history = createCallHistory();
    for (const one of [call('a', 'f'), call('b', 'g'), call('c', 'f')]) history.add(one);
    history.markResolved('a');
    expect(history.find('a')?.name).toBe('f');
    expect(history.takeOldest('f')?.callId).toBe('c');
    expect(history.takeOldest('f')).toBeUndefined();
    expect(history.takeOldest()?.callId).toBe('b');
    expect(history.takeOldest()).toBeUndefined();
  });
});

import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { signalWithin } from './signal-within.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('ends with the other one, for its reason', () => {
  const other = new AbortController();
  using timed = signalWithin(other.signal, 1_000);
  other.abort('stopping');
  expect([timed.signal.aborted, timed.signal.reason, timed.hasTimedOut()]).toEqual([true, 'stopping', false]);
});

it('has ended when the other one has', () => {
  using timed = signalWithin(AbortSignal.abort('stopped'), 1_000);
  expect([timed.signal.aborted, timed.signal.reason]).toEqual([true, 'stopped']);
});

it('ends when its time is over', () => {
  using timed = signalWithin(new AbortController().signal, 1_000);
  vi.advanceTimersByTime(999);
  expect(timed.signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect([timed.signal.aborted, timed.hasTimedOut()]).toEqual([true, true]);
});

it('takes times that are past, and those that no timer takes', () => {
  using long = signalWithin(new AbortController().signal, Infinity);
  using past = signalWithin(new AbortController().signal, -5);
  vi.advanceTimersByTime(1);
  expect([long.signal.aborted, past.signal.aborted]).toEqual([false, true]);
});

it('leaves nothing behind when its work is done', () => {
  const other = new AbortController();
  for (let work = 0; work < 100; work++) {
    using timed = signalWithin(other.signal, 3_600_000);
    timed.signal.addEventListener('abort', () => undefined);
  }
  expect(vi.getTimerCount()).toBe(0);
  expect(getEventListeners(other.signal, 'abort')).toEqual([]);
});

import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { signalWithin } from './signal-within.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('aborts with the other signal and its reason', () => {
  const other = new AbortController();
  using timed = signalWithin(other.signal, 1_000);
  other.abort('stopping');
  expect([timed.signal.aborted, timed.signal.reason, timed.hasTimedOut()]).toEqual([true, 'stopping', false]);
});

it('is aborted if the other signal is already aborted', () => {
  using timed = signalWithin(AbortSignal.abort('stopped'), 1_000);
  expect([timed.signal.aborted, timed.signal.reason]).toEqual([true, 'stopped']);
});

it('aborts after its time', () => {
  using timed = signalWithin(new AbortController().signal, 1_000);
  vi.advanceTimersByTime(999);
  expect(timed.signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect([timed.signal.aborted, timed.hasTimedOut()]).toEqual([true, true]);
});

it('accepts times in the past and times longer than any timer', () => {
  using long = signalWithin(new AbortController().signal, Infinity);
  using past = signalWithin(new AbortController().signal, -5);
  vi.advanceTimersByTime(1);
  expect([long.signal.aborted, past.signal.aborted]).toEqual([false, true]);
});

it('leaves no timer or listener behind when disposed', () => {
  const other = new AbortController();
  for (let work = 0; work < 100; work++) {
    using timed = signalWithin(other.signal, 3_600_000);
    timed.signal.addEventListener('abort', () => undefined);
  }
  expect(vi.getTimerCount()).toBe(0);
  expect(getEventListeners(other.signal, 'abort')).toEqual([]);
});

import { beforeEach, describe, expect, it } from 'vitest';
import { type CircuitBreakers, createCircuitBreakers } from './circuit-breaker.ts';

let time: number;
let breakers: CircuitBreakers;

beforeEach(() => {
  time = 1_000_000;
  breakers = createCircuitBreakers({ failures: 3, openMs: 10_000, maxOpenMs: 30_000, now: () => time });
});

function fail(times: number, upstream = 'a'): void {
  for (let count = 0; count < times; count += 1) breakers.failed(upstream);
}

describe('a closed breaker', () => {
  it('admits an upstream that nobody has heard of', () => {
    expect(breakers.admit('new')).toBe('yes');
  });

  it('opens at the last failure in a row that is allowed, not before', () => {
    fail(2);
    expect(breakers.admit('a')).toBe('yes');
    fail(1);
    expect(breakers.admit('a')).toEqual({ retryAfterMs: 10_000 });
  });

  it('starts counting anew after an answer', () => {
    fail(2);
    breakers.succeeded('a');
    fail(2);
    expect(breakers.admit('a')).toBe('yes');
  });

  it('is not moved by calls that say nothing', () => {
    fail(2);
    for (let count = 0; count < 10; count += 1) breakers.abandoned('a');
    expect(breakers.admit('a')).toBe('yes');
    fail(1);
    expect(breakers.admit('a')).not.toBe('yes');
  });

  it('forgets nothing when an answer only begins', () => {
    fail(2);
    breakers.answered('a');
    expect(breakers.admit('a')).toBe('yes');
    fail(1);
    expect(breakers.admit('a')).not.toBe('yes');
  });

  it('opens when every answer begins and breaks off', () => {
    for (let count = 0; count < 3; count += 1) {
      expect(breakers.admit('a')).toBe('yes');
      breakers.answered('a');
      breakers.failed('a');
    }
    expect(breakers.admit('a')).toEqual({ retryAfterMs: 10_000 });
  });

  it('is one upstream’s alone', () => {
    fail(3, 'a');
    expect(breakers.admit('b')).toBe('yes');
  });
});

describe('an open breaker', () => {
  beforeEach(() => fail(3));

  it('tells how long is left', () => {
    time += 4_000;
    expect(breakers.admit('a')).toEqual({ retryAfterMs: 6_000 });
  });

  it('ignores calls that were sent before it opened', () => {
    fail(5);
    breakers.succeeded('a');
    breakers.answered('a');
    breakers.abandoned('a');
    expect(breakers.admit('a')).toEqual({ retryAfterMs: 10_000 });
  });

  it('lets exactly one probe through when its time is over', () => {
    time += 10_000;
    expect(breakers.admit('a')).toBe('yes');
    expect(breakers.admit('a')).toEqual({ retryAfterMs: 10_000 });
    expect(breakers.admit('a')).not.toBe('yes');
  });
});

describe('a half-open breaker', () => {
  beforeEach(() => {
    fail(3);
    time += 10_000;
    breakers.admit('a');
  });

  it('closes when the probe succeeds, and has forgotten the failures', () => {
    breakers.succeeded('a');
    fail(2);
    expect(breakers.admit('a')).toBe('yes');
    expect(breakers.admit('a')).toBe('yes');
  });

  it('opens for twice as long each time the probe fails, up to the most', () => {
    breakers.failed('a');
    expect(breakers.admit('a')).toEqual({ retryAfterMs: 20_000 });
    for (const expected of [30_000, 30_000]) {
      time += 30_000;
      expect(breakers.admit('a')).toBe('yes');
      breakers.failed('a');
      expect(breakers.admit('a')).toEqual({ retryAfterMs: expected });
    }
  });

  it('begins with the short time again after it was closed', () => {
    breakers.failed('a');
    time += 20_000;
    breakers.admit('a');
    breakers.succeeded('a');
    fail(3);
    expect(breakers.admit('a')).toEqual({ retryAfterMs: 10_000 });
  });

  describe('whose probe has begun to answer', () => {
    beforeEach(() => breakers.answered('a'));

    it('lets all calls through', () => {
      expect(breakers.admit('a')).toBe('yes');
      expect(breakers.admit('a')).toBe('yes');
    });

    it('opens for twice as long at the first failure', () => {
      breakers.failed('a');
      expect(breakers.admit('a')).toEqual({ retryAfterMs: 20_000 });
    });

    it('forgets everything once an answer is through', () => {
      breakers.succeeded('a');
      fail(2);
      expect(breakers.admit('a')).toBe('yes');
      fail(1);
      expect(breakers.admit('a')).toEqual({ retryAfterMs: 10_000 });
    });

    it('forgets nothing when the client left in the middle', () => {
      breakers.abandoned('a');
      breakers.answered('a');
      breakers.failed('a');
      expect(breakers.admit('a')).toEqual({ retryAfterMs: 20_000 });
    });
  });

  it('gives the probe to the next call when its client left', () => {
    breakers.abandoned('a');
    expect(breakers.admit('a')).toBe('yes');
    expect(breakers.admit('a')).not.toBe('yes');
  });

  it('does not wait for ever for a probe of which nothing is heard', () => {
    time += 29_999;
    expect(breakers.admit('a')).toEqual({ retryAfterMs: 1 });
    time += 1;
    expect(breakers.admit('a')).toBe('yes');
  });
});

describe('whoever watches', () => {
  it('is told when an upstream is left alone, and when it is called again as before', () => {
    const told: unknown[] = [];
    const watched = createCircuitBreakers({
      failures: 2,
      openMs: 10_000,
      maxOpenMs: 30_000,
      now: () => time,
      onChange: (upstream, change) => told.push([upstream, change]),
    });
    watched.failed('a');
    watched.succeeded('a');
    watched.failed('a');
    watched.failed('a');
    expect(told).toEqual([['a', { openMs: 10_000 }]]);
    time += 10_000;
    watched.admit('a');
    watched.succeeded('a');
    watched.succeeded('a');
    expect(told).toEqual([
      ['a', { openMs: 10_000 }],
      ['a', 'closed'],
    ]);
  });
});

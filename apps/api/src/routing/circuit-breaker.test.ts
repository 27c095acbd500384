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

describe('a closed circuit breaker', () => {
  it('admits an unknown upstream', () => {
    expect(breakers.admit('new')).toBe('yes');
  });

  it('opens at the configured number of consecutive failures', () => {
    fail(2);
    expect(breakers.admit('a')).toBe('yes');
    fail(1);
    expect(breakers.admit('a')).toEqual({ retryAfterMs: 10_000 });
  });

  it('resets its count after a success', () => {
    fail(2);
    breakers.succeeded('a');
    fail(2);
    expect(breakers.admit('a')).toBe('yes');
  });

  it('is unchanged by abandoned calls', () => {
    fail(2);
    for (let count = 0; count < 10; count += 1) breakers.abandoned('a');
    expect(breakers.admit('a')).toBe('yes');
    fail(1);
    expect(breakers.admit('a')).not.toBe('yes');
  });

  it('keeps its count when a response only starts', () => {
    fail(2);
    breakers.started('a');
    expect(breakers.admit('a')).toBe('yes');
    fail(1);
    expect(breakers.admit('a')).not.toBe('yes');
  });

  it('opens when every response starts and breaks off', () => {
    for (let count = 0; count < 3; count += 1) {
      expect(breakers.admit('a')).toBe('yes');
      breakers.started('a');
      breakers.failed('a');
    }
    expect(breakers.admit('a')).toEqual({ retryAfterMs: 10_000 });
  });

  it('is separate for each upstream', () => {
    fail(3, 'a');
    expect(breakers.admit('b')).toBe('yes');
  });
});

describe('an open circuit breaker', () => {
  beforeEach(() => fail(3));

  it('returns the remaining time', () => {
    time += 4_000;
    expect(breakers.admit('a')).toEqual({ retryAfterMs: 6_000 });
  });

  it('ignores calls sent before it opened', () => {
    fail(5);
    breakers.succeeded('a');
    breakers.started('a');
    breakers.abandoned('a');
    expect(breakers.admit('a')).toEqual({ retryAfterMs: 10_000 });
  });

  it('admits exactly one probe after its timeout', () => {
    time += 10_000;
    expect(breakers.admit('a')).toBe('yes');
    expect(breakers.admit('a')).toEqual({ retryAfterMs: 10_000 });
    expect(breakers.admit('a')).not.toBe('yes');
  });
});

describe('a half-open circuit breaker', () => {
  beforeEach(() => {
    fail(3);
    time += 10_000;
    breakers.admit('a');
  });

  it('closes when the probe succeeds, and resets the failure count', () => {
    breakers.succeeded('a');
    fail(2);
    expect(breakers.admit('a')).toBe('yes');
    expect(breakers.admit('a')).toBe('yes');
  });

  it('opens for twice as long after each failed probe, up to the maximum', () => {
    breakers.failed('a');
    expect(breakers.admit('a')).toEqual({ retryAfterMs: 20_000 });
    for (const expected of [30_000, 30_000]) {
      time += 30_000;
      expect(breakers.admit('a')).toBe('yes');
      breakers.failed('a');
      expect(breakers.admit('a')).toEqual({ retryAfterMs: expected });
    }
  });

  it('starts with the short timeout again after it was closed', () => {
    breakers.failed('a');
    time += 20_000;
    breakers.admit('a');
    breakers.succeeded('a');
    fail(3);
    expect(breakers.admit('a')).toEqual({ retryAfterMs: 10_000 });
  });

  describe('whose probe has started to respond', () => {
    beforeEach(() => breakers.started('a'));

    it('admits all calls', () => {
      expect(breakers.admit('a')).toBe('yes');
      expect(breakers.admit('a')).toBe('yes');
    });

    it('opens for twice as long at the first failure', () => {
      breakers.failed('a');
      expect(breakers.admit('a')).toEqual({ retryAfterMs: 20_000 });
    });

    it('resets once a response is complete', () => {
      breakers.succeeded('a');
      fail(2);
      expect(breakers.admit('a')).toBe('yes');
      fail(1);
      expect(breakers.admit('a')).toEqual({ retryAfterMs: 10_000 });
    });

    it('keeps its state when the client disconnects during a response', () => {
      breakers.abandoned('a');
      breakers.started('a');
      breakers.failed('a');
      expect(breakers.admit('a')).toEqual({ retryAfterMs: 20_000 });
    });
  });

  it('admits the next call as the probe when the client of the probe disconnects', () => {
    breakers.abandoned('a');
    expect(breakers.admit('a')).toBe('yes');
    expect(breakers.admit('a')).not.toBe('yes');
  });

  it('replaces a probe without an outcome after a timeout', () => {
    time += 29_999;
    expect(breakers.admit('a')).toEqual({ retryAfterMs: 1 });
    time += 1;
    expect(breakers.admit('a')).toBe('yes');
  });
});

describe('onChange', () => {
  it('reports when the circuit opens and when it closes', () => {
    const changes: unknown[] = [];
    const watched = createCircuitBreakers({
      failures: 2,
      openMs: 10_000,
      maxOpenMs: 30_000,
      now: () => time,
      onChange: (upstream, change) => changes.push([upstream, change]),
    });
    watched.failed('a');
    watched.succeeded('a');
    watched.failed('a');
    watched.failed('a');
    expect(changes).toEqual([['a', { openMs: 10_000 }]]);
    time += 10_000;
    watched.admit('a');
    watched.succeeded('a');
    watched.succeeded('a');
    expect(changes).toEqual([
      ['a', { openMs: 10_000 }],
      ['a', 'closed'],
    ]);
  });
});

describe('isHealthy', () => {
  it('is false after a failure, until a complete response or the open time has passed', () => {
    expect(breakers.isHealthy('a')).toBe(true);
    fail(1);
    expect(breakers.isHealthy('a')).toBe(false);
    breakers.succeeded('a');
    expect(breakers.isHealthy('a')).toBe(true);
    fail(1);
    time += 10_000;
    expect(breakers.isHealthy('a')).toBe(true);
  });

  it('is false for an open circuit breaker until it admits a probe, and while the probe is in flight', () => {
    fail(3);
    expect(breakers.isHealthy('a')).toBe(false);
    time += 10_000;
    expect(breakers.isHealthy('a')).toBe(true);
    expect(breakers.admit('a')).toBe('yes');
    expect(breakers.isHealthy('a')).toBe(false);
  });
});

describe('the state of a circuit breaker', () => {
  it('is half-open from the end of the open time until the outcome of the probe', () => {
    expect(breakers.stateOf('a')).toBe('closed');
    fail(2);
    expect(breakers.stateOf('a')).toBe('closed');
    fail(1);
    expect(breakers.stateOf('a')).toBe('open');
    time += 10_000;
    expect(breakers.stateOf('a')).toBe('half-open');
    breakers.admit('a');
    expect(breakers.stateOf('a')).toBe('half-open');
    breakers.succeeded('a');
    expect(breakers.stateOf('a')).toBe('closed');
  });
});

describe('reset', () => {
  it('closes the breaker of one upstream', () => {
    fail(3, 'a');
    fail(3, 'b');
    breakers.reset('a');
    expect(breakers.admit('a')).toBe('yes');
    expect(breakers.admit('b')).toEqual({ retryAfterMs: 10_000 });
  });
});

describe('the settings', () => {
  it('are read for each call', () => {
    const settings = { failures: 3, openMs: 10_000, maxOpenMs: 30_000, now: () => time };
    breakers = createCircuitBreakers(settings);
    fail(1);
    settings.failures = 2;
    settings.openMs = 5_000;
    fail(1);
    expect(breakers.admit('a')).toEqual({ retryAfterMs: 5_000 });
  });
});

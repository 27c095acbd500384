import { describe, expect, it } from 'vitest';
import { signsAgain, vendorClock } from './vendor-clock.ts';

const NOW = 1_767_323_045_000;
const dated = (date?: string) => ({ status: 401, headers: date === undefined ? {} : { date }, body: undefined });
const after = (ms: number): string => new Date(NOW + ms).toUTCString();

describe('vendor clock', () => {
  it('starts as the local clock and continues from a learned time', () => {
    let now = NOW;
    const clock = vendorClock(() => now);
    expect(clock.now()).toBe(NOW);
    clock.learn(dated(after(-90_000)));
    expect(clock.now()).toBe(NOW - 90_000);
    now += 5000;
    expect(clock.now()).toBe(NOW - 85_000);
    clock.learn(dated(after(5000)));
    expect(clock.now()).toBe(NOW + 5000);
  });

  it.each([undefined, '', 'yesterday', after(25 * 3_600_000), after(-25 * 3_600_000)])(
    'learns nothing from %s',
    (date) => {
      const clock = vendorClock(() => NOW);
      clock.learn(dated(date));
      expect(clock.now()).toBe(NOW);
    },
  );
});

it('signs a call again only after its time was refused, by the vendor’s clock', () => {
  const clock = vendorClock(() => NOW);
  const { refusesSignatureTime } = signsAgain(clock, ({ status }) => status === 401);
  expect(refusesSignatureTime({ ...dated(after(60_000)), status: 403 })).toBe(false);
  expect(clock.now()).toBe(NOW);
  expect(refusesSignatureTime(dated(after(60_000)))).toBe(true);
  expect(clock.now()).toBe(NOW + 60_000);
});

/**
 * Preloaded into a process with `--import`. Shifts its clock by `SLUICE_E2E_CLOCK_MS`. Timers are unaffected, as on a
 * machine with a wrong clock.
 */
const skewMs = Number(process.env['SLUICE_E2E_CLOCK_MS'] ?? 0);
const SystemDate = Date;

class SkewedDate extends SystemDate {
  constructor(...args: unknown[]) {
    // The cast lets the class pass on any arguments of `Date`.
    super(...((args.length > 0 ? args : [SkewedDate.now()]) as [number]));
  }

  static override now(): number {
    return SystemDate.now() + skewMs;
  }
}
// The cast is safe although this class does not support calls without `new`, because our code makes none.
globalThis.Date = SkewedDate as DateConstructor;

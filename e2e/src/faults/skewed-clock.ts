/**
 * Preloaded into a process (`--import`); skews its clock by `SLUICE_E2E_CLOCK_MS`. Timers are not affected, as on a
 * machine with a wrong clock.
 */
const skewMs = Number(process.env['SLUICE_E2E_CLOCK_MS'] ?? 0);
const SystemDate = Date;

class SkewedDate extends SystemDate {
  constructor(...args: unknown[]) {
    super(...((args.length > 0 ? args : [SkewedDate.now()]) as [number])); // any arguments of Date
  }

  static override now(): number {
    return SystemDate.now() + skewMs;
  }
}
globalThis.Date = SkewedDate as DateConstructor; // calls without `new` are not supported; the code uses none

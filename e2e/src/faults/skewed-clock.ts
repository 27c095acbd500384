/**
 * Preloaded into a process of ours (`--import`): its clock is off by `SLUICE_E2E_CLOCK_MS`. Timers run as ever, as they
 * do on a machine whose clock is wrong.
 */
const skewMs = Number(process.env['SLUICE_E2E_CLOCK_MS'] ?? 0);
const RightDate = Date;

class SkewedDate extends RightDate {
  constructor(...given: unknown[]) {
    super(...((given.length > 0 ? given : [SkewedDate.now()]) as [number])); // whatever a caller may give to Date
  }

  static override now(): number {
    return RightDate.now() + skewMs;
  }
}
globalThis.Date = SkewedDate as DateConstructor; // everything but a call without `new`, which our code does not use

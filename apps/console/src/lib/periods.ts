/** Parameters of a period in the URL. */
export const PERIOD_PARAMS = ['period'] as const;

export const PERIODS = ['1h', '24h', '7d', '30d', '90d'] as const;
export type PeriodName = (typeof PERIODS)[number];

const HOURS: Readonly<Record<PeriodName, number>> = { '1h': 1, '24h': 24, '7d': 168, '30d': 720, '90d': 2_160 };
const HOUR_S = 3_600;
/** Longer periods are shown by day. */
const MAX_HOURLY = 48;

export interface Period {
  name: PeriodName;
  /** Unix seconds. */
  start: number;
  end: number;
  unit: 'hour' | 'day';
}

/** @param nowMs Unix milliseconds. The period ends with the current minute, so that its queries can be shared. */
export function periodOf(name: string | undefined, nowMs: number): Period {
  const known = PERIODS.find((one) => one === name) ?? '24h';
  const end = Math.ceil(nowMs / 60_000) * 60;
  return { name: known, start: end - HOURS[known] * HOUR_S, end, unit: HOURS[known] > MAX_HOURLY ? 'day' : 'hour' };
}

const UNIT_S = { hour: 3_600, day: 86_400 } as const;

/** Returns the starts of the hours or days of a period, in Unix seconds. */
export function timesOf({ start, end, unit }: Omit<Period, 'name'>): number[] {
  const step = UNIT_S[unit];
  const first = start - (start % step);
  return Array.from({ length: Math.ceil((end - first) / step) }, (_, at) => first + at * step);
}

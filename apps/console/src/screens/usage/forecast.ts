const DAY_S = 86_400;

export interface ForecastInput {
  /** US dollars in the current period. */
  spent: number;
  /** US dollars in the pace's time. */
  recent: number;
  /** Seconds over which `recent` was spent. */
  paceSeconds: number;
  /** Unix seconds. `end` is undefined for a budget without a period. */
  now: number;
  end: number | undefined;
  /** US dollars. Undefined without a budget. */
  budget?: number | undefined;
}

export interface Forecast {
  /** Spending at the end of the period, in US dollars. Undefined for a budget without a period. */
  total: number | undefined;
  /** When the budget is used up, in Unix seconds. Undefined if that is after the end of the period, or never. */
  usedUpAt: number | undefined;
}

/** Continues the spending at its recent pace. */
export function forecastOf({ spent, recent, paceSeconds, now, end, budget }: ForecastInput): Forecast {
  const perSecond = recent / paceSeconds;
  const total = end === undefined ? undefined : spent + perSecond * Math.max(0, end - now);
  const usedUpAt = budget === undefined ? undefined : timeOf(budget, { spent, perSecond, now });
  const isInPeriod = usedUpAt !== undefined && (end === undefined || usedUpAt < end);
  return { total, usedUpAt: isInPeriod ? usedUpAt : undefined };
}

function timeOf(
  budget: number,
  { spent, perSecond, now }: { spent: number; perSecond: number; now: number },
): number | undefined {
  if (spent >= budget) return now;
  return perSecond > 0 ? now + (budget - spent) / perSecond : undefined;
}

/** Seconds of which the spending shows the pace: a day for budgets of a day, otherwise seven. */
export function paceOf(period: 'day' | 'month' | 'total'): number {
  return period === 'day' ? DAY_S : 7 * DAY_S;
}

/** The current month in UTC, in Unix seconds. */
export function monthOf(now: number): { start: number; end: number } {
  const at = new Date(now * 1_000);
  const month = (offset: number): number => Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + offset, 1) / 1_000;
  return { start: month(0), end: month(1) };
}

import { NANOS_PER_USD, safeCount } from './nanos.ts';
import type { Cost, PriceLine, PriceUnit } from './price.ts';

const NANOS_PER_MICRO_USD = 1_000;

/**
 * Adds lines so that their sum is the rounded sum of the exact parts: each line is the difference of two rounded sums,
 * so that rounding errors do not add up.
 */
export class CostLines {
  readonly #lines: PriceLine[] = [];
  #microUsd = 0;
  #usdNanos = 0;
  #exactNanos = 0;
  #total = 0;

  /** @param rate in US dollars per million */
  addMillion(unit: PriceUnit, quantity: number, rate: number): void {
    if (quantity === 0 || rate === 0) return;
    this.#microUsd += quantity * rate;
    this.#add(unit, quantity);
  }

  /** @param rate in US dollars */
  addUnits(unit: PriceUnit, quantity: number, rate: number): void {
    if (quantity === 0 || rate === 0) return;
    this.#usdNanos += quantity * rate * NANOS_PER_USD;
    this.#add(unit, quantity);
  }

  /** @param rate in nano-dollars */
  addExact(unit: PriceUnit, quantity: number, rate: number): void {
    if (quantity === 0 || rate === 0) return;
    this.#exactNanos += quantity * rate;
    this.#add(unit, quantity);
  }

  cost(): Cost {
    return { nanos: this.#total, lines: this.#lines };
  }

  #add(unit: PriceUnit, quantity: number): void {
    const sum = safeCount(Math.round(this.#microUsd * NANOS_PER_MICRO_USD + this.#usdNanos) + this.#exactNanos);
    this.#lines.push({ unit, quantity, nanos: sum - this.#total });
    this.#total = sum;
  }
}

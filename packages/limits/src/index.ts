export { LIMIT_SCRIPTS } from './limit-scripts.ts';
export {
  type BudgetBalance,
  createLimiter,
  type LimitedRequest,
  type LimitReached,
  type Limiter,
  type LimitDecision,
  type RateState,
  type Spending,
  type Usage,
} from './limiter.ts';
export { formatUsd, NANOS_PER_USD, toNanos } from './nanos.ts';
export { type OverBudget, overBudgetMessage } from './over-budget-message.ts';
export { type ShownSpending, withSpending } from './with-spending.ts';

export { BUDGET_LUA } from './budget-lua.ts';
export {
  createLimiter,
  type LimitedRequest,
  type LimitReached,
  type Limiter,
  type LimitVerdict,
  type RateState,
  type RealUse,
  type Spending,
} from './limiter.ts';
export { NANOS_PER_USD, toNanos } from './nanos.ts';
export { unpaidWords } from './unpaid-words.ts';
export { type ShownSpending, withSpending } from './with-spending.ts';

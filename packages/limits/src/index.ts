export { BUDGET_LUA } from './budget-lua.ts';
export {
  createLimiter,
  type LimitedRequest,
  type LimitReached,
  type Limiter,
  type LimitDecision,
  type RateState,
  type RealUse,
  type Spending,
} from './limiter.ts';
export { NANOS_PER_USD, toNanos } from './nanos.ts';
export { unpaidMessage } from './unpaid-message.ts';
export { type ShownSpending, withSpending } from './with-spending.ts';

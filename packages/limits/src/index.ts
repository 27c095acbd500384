export {
  Credential,
  type CredentialSettings,
  type CredentialUse,
  hash32,
  type LimitName,
  mix32,
  type Rest,
  type RestReason,
} from './credential.ts';
export { createCredentials, type Credentials, type CredentialsOptions } from './credentials.ts';
export { LIMIT_SCRIPTS } from './limit-scripts.ts';
export {
  type BudgetBalance,
  createLimiter,
  type DueCharge,
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
export { type Admission, type RecordedUsage, sendUsage } from './recorded-usage.ts';
export { type ShownSpending, withSpending } from './with-spending.ts';

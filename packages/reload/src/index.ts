export {
  ConfigStore,
  type ProcessState,
  type ReloadOutcome,
  type ShownIssue,
  STATE_TTL_MS,
  type StoredConfig,
} from './config-store.ts';
export { loadAtStart, type LoadedSource, type ProcessEnvironment } from './load-shared.ts';
export {
  type ApplyConfig,
  Reloader,
  type ReloadFacts,
  type ReloadMetrics,
  type ReloaderOptions,
  type ReloadResult,
} from './reloader.ts';
export { shownIssues } from './shown-issues.ts';

import { accountCaps, type Config, taskSettings } from '@sluice/config';
import { MAX_STREAM_ENTRIES } from '@sluice/ledger';

/** Returns what the task engine reads of a configuration. */
export function engineSettings(config: Config) {
  const maxLedgerEntries = config.ledger.enabled ? MAX_STREAM_ENTRIES : undefined;
  return { accounts: accountCaps(config), settings: { ...taskSettings(config), maxLedgerEntries } };
}

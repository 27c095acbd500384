import { describe, expect, it } from 'vitest';
import { formOf, settingsOf } from './key-settings.ts';

const SETTINGS = {
  models: ['gpt-*', 'my-video'],
  limits: { rpm: 60, open_tasks: 5 },
  budget: { usd: 20, period: 'day' as const },
  labels: { team: 'search', tier: 'a=b' },
  expires_at: 1_790_000_040,
  strict: true,
  vendor_references: false,
};

describe('settingsOf', () => {
  it('omits empty fields of a new key', () => {
    expect(settingsOf(formOf())).toEqual({ strict: false, vendor_references: false });
  });

  it('changes nothing if the form is not edited', () => {
    expect(settingsOf(formOf(SETTINGS), SETTINGS)).toEqual(SETTINGS);
  });

  it('removes the fields that the key has', () => {
    expect(settingsOf({ ...formOf(), strict: true }, SETTINGS)).toEqual({
      models: null,
      limits: { rpm: null, open_tasks: null },
      budget: null,
      labels: { team: null, tier: null },
      expires_at: null,
      strict: true,
      vendor_references: false,
    });
  });

  it('reads models that are separated by lines or commas', () => {
    expect(settingsOf({ ...formOf(), models: ' a, b\n\nc ' }).models).toEqual(['a', 'b', 'c']);
  });
});

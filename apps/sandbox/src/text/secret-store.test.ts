import { describe, expect, it } from 'vitest';
import { createSecretStore } from './secret-store.ts';

const secretStore = createSecretStore('sk-sandbox');

describe('createSecretStore', () => {
  it('decrypts its own values, also after a restart', () => {
    const sealed = secretStore.encrypt('reasoning', '你好 🌍');
    expect(createSecretStore('sk-sandbox').decrypt('reasoning', sealed)).toBe('你好 🌍');
    expect(sealed).toMatch(/^[A-Za-z0-9+/]+=*$/);
  });

  it('decrypts nothing that was changed, made elsewhere, or made for another purpose', () => {
    const sealed = secretStore.encrypt('reasoning', 'secret');
    const changed = `${sealed[0] === 'A' ? 'B' : 'A'}${sealed.slice(1)}`;
    expect(secretStore.decrypt('reasoning', changed)).toBeUndefined();
    expect(secretStore.decrypt('reasoning', `${sealed} `)).toBeUndefined();
    expect(secretStore.decrypt('reasoning', 'R1cx')).toBeUndefined();
    expect(secretStore.decrypt('compaction', sealed)).toBeUndefined();
    expect(createSecretStore('sk-other').decrypt('reasoning', sealed)).toBeUndefined();
  });

  it('verifies its signature over every part', () => {
    const signature = secretStore.sign('thinking', 'model', 'text');
    expect(secretStore.signed(signature, 'thinking', 'model', 'text')).toBe(true);
    expect(secretStore.signed(signature, 'thinking', 'mode', 'ltext')).toBe(false);
    expect(secretStore.signed('', 'thinking', 'model', 'text')).toBe(false);
  });
});

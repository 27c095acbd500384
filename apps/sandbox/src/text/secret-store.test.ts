import { describe, expect, it } from 'vitest';
import { createSecretStore } from './secret-store.ts';

const secretStore = createSecretStore('sk-sandbox');

describe('createSecretStore', () => {
  it('decrypts its own values, also after a restart', () => {
    const encrypted = secretStore.encrypt('reasoning', '你好 🌍');
    expect(createSecretStore('sk-sandbox').decrypt('reasoning', encrypted)).toBe('你好 🌍');
    expect(encrypted).toMatch(/^[A-Za-z0-9+/]+=*$/);
  });

  it('decrypts its values in URL-safe base64, and without padding', () => {
    // This text is chosen because its ciphertext contains `+`, `/`, and padding.
    const text = Array.from({ length: 100 }, (_, at) => `reasoning ${at}`).find((each) =>
      /(?=.*\+)(?=.*\/).*=/.test(secretStore.encrypt('reasoning', each)),
    );
    const bytes = Buffer.from(secretStore.encrypt('reasoning', text ?? ''), 'base64');
    expect(secretStore.decrypt('reasoning', bytes.toString('base64url'))).toBe(text);
    expect(secretStore.decrypt('reasoning', bytes.toString('base64').replace(/=+$/, ''))).toBe(text);
  });

  it('decrypts no value that was modified, created elsewhere, or encrypted for another purpose', () => {
    const encrypted = secretStore.encrypt('reasoning', 'secret');
    const changed = `${encrypted[0] === 'A' ? 'B' : 'A'}${encrypted.slice(1)}`;
    expect(secretStore.decrypt('reasoning', changed)).toBeUndefined();
    expect(secretStore.decrypt('reasoning', `${encrypted} `)).toBeUndefined();
    expect(secretStore.decrypt('reasoning', 'R1cx')).toBeUndefined();
    expect(secretStore.decrypt('compaction', encrypted)).toBeUndefined();
    expect(createSecretStore('sk-other').decrypt('reasoning', encrypted)).toBeUndefined();
  });

  it('verifies its signature over every part', () => {
    const signature = secretStore.sign('thinking', 'model', 'text');
    expect(secretStore.signed(signature, 'thinking', 'model', 'text')).toBe(true);
    expect(secretStore.signed(signature, 'thinking', 'mode', 'ltext')).toBe(false);
    expect(secretStore.signed('', 'thinking', 'model', 'text')).toBe(false);
  });
});

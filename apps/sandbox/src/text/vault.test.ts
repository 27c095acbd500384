import { describe, expect, it } from 'vitest';
import { createVault } from './vault.ts';

const vault = createVault('sk-sandbox');

describe('createVault', () => {
  it('reads its own values, also after a restart', () => {
    const sealed = vault.seal('reasoning', '你好 🌍');
    expect(createVault('sk-sandbox').open('reasoning', sealed)).toBe('你好 🌍');
    expect(sealed).toMatch(/^[A-Za-z0-9+/]+=*$/);
  });

  it('reads nothing that was changed, made elsewhere, or made for something else', () => {
    const sealed = vault.seal('reasoning', 'secret');
    const changed = `${sealed[0] === 'A' ? 'B' : 'A'}${sealed.slice(1)}`;
    expect(vault.open('reasoning', changed)).toBeUndefined();
    expect(vault.open('reasoning', `${sealed} `)).toBeUndefined();
    expect(vault.open('reasoning', 'R1cx')).toBeUndefined();
    expect(vault.open('compaction', sealed)).toBeUndefined();
    expect(createVault('sk-other').open('reasoning', sealed)).toBeUndefined();
  });

  it('knows its signature, over every part', () => {
    const signature = vault.sign('thinking', 'model', 'text');
    expect(vault.signed(signature, 'thinking', 'model', 'text')).toBe(true);
    expect(vault.signed(signature, 'thinking', 'mode', 'ltext')).toBe(false);
    expect(vault.signed('', 'thinking', 'model', 'text')).toBe(false);
  });
});

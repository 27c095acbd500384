import { describe, expect, it } from 'vitest';
import { createSigner } from './signer.ts';

describe('createSigner', () => {
  const signer = createSigner('a secret', 'links');
  const signature = signer.sign('a text');

  it('accepts its own signature', () => {
    expect(signer.isSignature('a text', signature)).toBe(true);
  });

  it.each([
    ['of another text', signer.sign('another text')],
    ['of another purpose', createSigner('a secret', 'uploads').sign('a text')],
    ['of another secret', createSigner('another secret', 'links').sign('a text')],
    ['that is shortened', signature.slice(1)],
    ['that is empty', ''],
  ])('refuses a signature %s', (_which, sent) => {
    expect(signer.isSignature('a text', sent)).toBe(false);
  });
});

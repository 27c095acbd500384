import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { COMPACTION_PREFIX, decodeCompaction, encodeCompaction } from './compaction-token.ts';

const SECRET = 'a secret of this gateway';
const META = { model: 'gpt-5', createdAt: 1_790_000_000 };

describe('the compaction token', () => {
  it('returns any summary with its metadata', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), fc.nat(), (summary, model, createdAt) => {
        const encryptedContent = encodeCompaction(SECRET, summary, { model, createdAt });
        expect(decodeCompaction(SECRET, encryptedContent)).toEqual({ summary, meta: { model, createdAt } });
      }),
    );
  });

  it('is standard base64 with its own prefix, and hides the summary', () => {
    const encryptedContent = encodeCompaction(SECRET, 'the plan is secret', META);
    expect(encryptedContent).toMatch(/^[A-Za-z0-9+/]+={0,2}$/);
    expect(encryptedContent.startsWith(COMPACTION_PREFIX)).toBe(true);
    expect(Buffer.from(encryptedContent, 'base64').toString('latin1')).not.toContain('plan');
    expect(encodeCompaction(SECRET, 'the plan is secret', META)).not.toBe(encryptedContent);
  });

  it('cannot be decrypted with another secret', () => {
    const encryptedContent = encodeCompaction('another secret', 'a', META);
    expect(() => decodeCompaction(SECRET, encryptedContent, 'input[2][encrypted_content]')).toThrow(
      expect.objectContaining({ code: 'invalid_encrypted_content', status: 400, param: 'input[2][encrypted_content]' }),
    );
  });

  it('cannot be decrypted after a change of any byte or a truncation', () => {
    const encryptedContent = Buffer.from(encodeCompaction(SECRET, 'abc', META), 'base64');
    for (let index = 3; index < encryptedContent.length; index += 1) {
      const changed = Buffer.from(encryptedContent);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(() => decodeCompaction(SECRET, changed.toString('base64'))).toThrow(/cannot be decrypted/);
      expect(() => decodeCompaction(SECRET, encryptedContent.subarray(0, index).toString('base64'))).toThrow(
        /cannot be decrypted/,
      );
    }
  });

  it('ignores foreign tokens', () => {
    expect(decodeCompaction(SECRET, 'gAAAAABo-of-a-vendor')).toBeUndefined();
    expect(decodeCompaction(SECRET, '')).toBeUndefined();
  });
});

import { describe, expect, it } from 'vitest';
import { deepFrozen } from '../../../test/deep-frozen.ts';
import { encodeCompaction } from './compaction-token.ts';
import { expandCompaction } from './expand-compaction.ts';

const SECRET = 'a secret of this gateway';

function ours(text: string): unknown {
  const encryptedContent = encodeCompaction(SECRET, text, { model: 'm', createdAt: 1 });
  return { id: 'cmp_1', type: 'compaction', encrypted_content: encryptedContent };
}

function summary(text: string): unknown {
  return {
    type: 'message',
    role: 'developer',
    content: [{ type: 'input_text', text: `Another model's summary of the conversation so far:\n${text}` }],
  };
}

const FOREIGN = { type: 'compaction', encrypted_content: 'gAAAA' };
const USER = { role: 'user', content: 'hello' };
const DEVELOPER = { type: 'message', role: 'developer', content: 'be brief' };
const AFTER = { role: 'user', content: 'go on' };

describe('expandCompaction', () => {
  it('replaces the compaction by a developer message with the summary', () => {
    expect(expandCompaction(deepFrozen([ours('all was well'), AFTER]), SECRET)).toEqual([
      summary('all was well'),
      AFTER,
    ]);
  });

  it('replaces every turn before it, and keeps the user’s messages and the instructions', () => {
    const tools = { type: 'additional_tools', role: 'developer', tools: [] };
    const before = [
      tools,
      DEVELOPER,
      USER,
      { type: 'message', role: 'assistant', content: [] },
      { type: 'reasoning', id: 'rs_1', summary: [] },
      { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c', output: 'x' },
      { id: 'rs_2' },
      ours('older'),
    ];
    expect(expandCompaction([...before, ours('newer'), AFTER], SECRET)).toEqual([
      tools,
      DEVELOPER,
      USER,
      summary('newer'),
      AFTER,
    ]);
  });

  it('returns the same array if it contains no own compaction', () => {
    for (const items of [[], [USER, AFTER], [USER, FOREIGN, AFTER], [{ type: 'compaction' }, null, 'text']]) {
      expect(expandCompaction(items, SECRET)).toBe(items);
    }
  });

  it('names the item that cannot be decrypted', () => {
    const foreignToken = encodeCompaction('another secret', 'a', { model: 'm', createdAt: 1 });
    expect(() => expandCompaction([USER, { type: 'compaction', encrypted_content: foreignToken }], SECRET)).toThrow(
      expect.objectContaining({ code: 'invalid_encrypted_content', param: 'input[1][encrypted_content]' }),
    );
  });

  it('leaves a foreign compaction unchanged', () => {
    expect(expandCompaction([FOREIGN, ours('a'), FOREIGN], SECRET)).toEqual([FOREIGN, summary('a'), FOREIGN]);
  });
});

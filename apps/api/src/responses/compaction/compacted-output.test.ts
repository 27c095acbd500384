import { describe, expect, it } from 'vitest';
import { compactedOutput } from './compacted-output.ts';

let ids = 0;
const newId = (prefix: string) => `${prefix}${(ids += 1).toString(16).padStart(32, '0')}`;

function compacted(...items: unknown[]): Record<string, unknown>[] {
  return compactedOutput({ items, encryptedContent: 'R1cy', newId });
}

function textsOf(items: Record<string, unknown>[]): string[] {
  // The cast is safe because these items are messages.
  return items.flatMap(({ content }) => (content ? (content as { text: string }[]).map(({ text }) => text) : []));
}

const user = (content: unknown) => ({ role: 'user', content });

describe('compactedOutput', () => {
  it('keeps the user’s messages in order and ends with exactly one compaction', () => {
    const output = compacted(
      { type: 'message', role: 'developer', content: 'be brief' },
      user('first'),
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'answer' }] },
      { type: 'compaction', encrypted_content: 'old' },
      user([
        { type: 'input_text', text: 'second' },
        { type: 'input_image', image_url: 'https://a.test/a.png' },
      ]),
      { type: 'function_call_output', call_id: 'c', output: 'x' },
    );
    expect(output).toEqual([
      {
        id: expect.stringMatching(/^msg_[0-9a-f]{32}$/),
        type: 'message',
        status: 'completed',
        role: 'user',
        content: [{ type: 'input_text', text: 'first' }],
      },
      {
        id: expect.stringMatching(/^msg_[0-9a-f]{32}$/),
        type: 'message',
        status: 'completed',
        role: 'user',
        content: [
          { type: 'input_text', text: 'second' },
          { type: 'input_image', image_url: 'https://a.test/a.png' },
        ],
      },
      { id: expect.stringMatching(/^cmp_[0-9a-f]{32}$/), type: 'compaction', encrypted_content: 'R1cy' },
    ]);
  });

  it('keeps the newest 20,000 tokens, with the beginning of the message that exceeds them', () => {
    const output = compacted(user('gone'), user(`begin${'x'.repeat(80_000)}`), user('y'.repeat(40_000)));
    const [first = '', second = '', ...rest] = textsOf(output);
    expect(rest).toEqual([]);
    expect(first).toMatch(/^beginx+$/);
    expect(first.length + second.length).toBe(80_000);
    expect(second).toBe('y'.repeat(40_000));
  });

  it('does not split a surrogate pair', () => {
    const [text = ''] = textsOf(compacted(user(`x${'😀'.repeat(60_000)}`)));
    expect(text.isWellFormed()).toBe(true);
  });

  it('is only the compaction if there are no user messages', () => {
    expect(compacted(user([]), user(null))).toMatchObject([{ type: 'compaction' }]);
  });
});

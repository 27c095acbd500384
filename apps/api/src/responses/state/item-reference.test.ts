import { describe, expect, it } from 'vitest';
import { lookedUpId, referencedId, hasContent } from './item-reference.ts';

describe('referencedId', () => {
  it.each([
    [{ type: 'item_reference', id: 'msg_1' }],
    [{ type: 'item_reference', id: 'msg_1', role: 'user', content: 'a' }],
    [{ id: 'msg_1' }],
    [{ id: 'msg_1', type: null, role: null }],
    [{ id: 'msg_1', role: 'user', content: null }],
  ])('accepts %j as a reference', (item) => {
    expect(referencedId(item)).toBe('msg_1');
    expect(lookedUpId(item)).toBeUndefined();
  });

  it.each([
    [{ id: 'rs_1', type: 'reasoning', summary: [] }, false],
    [{ id: 'rs_1', type: 'reasoning', encrypted_content: null, summary: [{ text: 'a' }] }, true],
    [{ id: 'rs_1', type: 'reasoning', encrypted_content: '', content: [{ text: 'a' }] }, true],
    [{ id: 'rs_1', type: 'image_generation_call' }, false],
    [{ id: 'rs_1', type: 'image_generation_call', result: null, summary: [{ text: 'a' }] }, false],
  ])('reads the id of %j, which a vendor looks up', (item, expected) => {
    expect(lookedUpId(item)).toBe('rs_1');
    expect(referencedId(item)).toBeUndefined();
    expect(hasContent(item)).toBe(expected);
  });

  it.each([
    [{ id: 'msg_1', role: 'user', content: 'a' }],
    [{ id: 'msg_1', type: 'message', role: 'assistant', content: [] }],
    [{ id: 'fc_1', type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' }],
    [{ id: 'rs_1', type: 'reasoning', summary: [], encrypted_content: 'sealed' }],
    [{ id: 'ig_1', type: 'image_generation_call', result: 'aGk=' }],
    [{ type: 'reasoning', summary: [] }],
    [{ type: 'item_reference', id: '' }],
    ['text'],
    [null],
  ])('returns undefined for %j', (item) => {
    expect(referencedId(item)).toBeUndefined();
    expect(lookedUpId(item)).toBeUndefined();
  });
});

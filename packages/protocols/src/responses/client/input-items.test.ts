import { describe, expect, it } from 'vitest';
import { decodeInputItemsQuery, inputItems, inputItemsPage } from './input-items.ts';

let idCount = 0;
const newId = (prefix: string): string => `${prefix}${idCount++}`;

describe('inputItems', () => {
  it('converts a text to a message', () => {
    expect(inputItems({ input: 'Hi' }, newId)).toEqual([
      {
        id: expect.stringMatching(/^msg_/),
        type: 'message',
        role: 'user',
        status: 'completed',
        content: [{ type: 'input_text', text: 'Hi' }],
      },
    ]);
  });

  it('assigns every item an id with its type’s prefix and preserves existing ids', () => {
    const input = [
      { role: 'assistant', content: 'A' },
      { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}', id: 'fc_theirs' },
      { type: 'function_call_output', call_id: 'c', output: 'x', id: '' },
      { type: 'reasoning', summary: [] },
      { id: 'rs_1' },
    ];
    expect(inputItems({ input }, newId)).toMatchObject([
      { id: expect.stringMatching(/^msg_/), type: 'message', content: [{ type: 'output_text', text: 'A' }] },
      { id: 'fc_theirs' },
      { id: expect.stringMatching(/^fco_/) },
      { id: expect.stringMatching(/^rs_/) },
      { id: 'rs_1', type: 'item_reference' },
    ]);
  });

  it('is empty without input', () => {
    expect(inputItems({}, newId)).toEqual([]);
    expect(inputItems({ input: null }, newId)).toEqual([]);
  });
});

describe('inputItemsPage', () => {
  const items = ['a', 'b', 'c'].map((id) => ({ id, type: 'message' }));

  it('starts with the newest item', () => {
    expect(inputItemsPage(items, decodeInputItemsQuery({}))).toMatchObject({
      object: 'list',
      first_id: 'c',
      last_id: 'a',
      has_more: false,
    });
  });

  it('iterates over all items, page by page', () => {
    const first = inputItemsPage(items, decodeInputItemsQuery({ limit: '2', order: 'asc' }));
    expect(first).toMatchObject({ last_id: 'b', has_more: true });
    const second = inputItemsPage(items, decodeInputItemsQuery({ limit: '2', order: 'asc', after: 'b' }));
    expect(second).toMatchObject({ data: [{ id: 'c' }], has_more: false });
  });

  it('is empty without items', () => {
    expect(inputItemsPage([], decodeInputItemsQuery(undefined))).toEqual({
      object: 'list',
      data: [],
      first_id: null,
      last_id: null,
      has_more: false,
    });
  });

  it('rejects invalid pagination parameters', () => {
    expect(() => inputItemsPage(items, decodeInputItemsQuery({ after: 'x' }))).toThrow(
      expect.objectContaining({ code: 'item_not_found', param: 'after' }),
    );
    expect(() => decodeInputItemsQuery({ limit: '0' })).toThrow(
      expect.objectContaining({ code: 'invalid_request', param: 'limit' }),
    );
  });
});

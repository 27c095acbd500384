import { expect, it } from 'vitest';
import { portableItems } from './portable-items.ts';

const MESSAGE = { type: 'message', role: 'user', content: 'Hello' };
const CALL = { type: 'function_call', call_id: 'call_1', name: 'f', arguments: '{}' };

it('removes ids, and omits items that only their vendor can read', () => {
  const items = [
    { role: 'user', content: 'Hi' },
    { ...MESSAGE, id: 'msg_1', status: 'completed' },
    { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'x' },
    { ...CALL, id: 'fc_1' },
    { type: 'web_search_call', id: 'ws_1' },
    { type: 'web_search_call', id: 'ws_2' },
  ];
  expect(portableItems(items)).toEqual({
    items: [{ role: 'user', content: 'Hi' }, MESSAGE, CALL],
    dropped: ['reasoning', 'web_search_call'],
  });
});

it.each(['compaction', 'item_reference'])('cannot replace an item of type %s', (type) => {
  expect(portableItems([MESSAGE, { type, id: 'x' }])).toBeUndefined();
});

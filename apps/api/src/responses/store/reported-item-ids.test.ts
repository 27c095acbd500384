import { expect, it } from 'vitest';
import { reportedItemIds } from './reported-item-ids.ts';

it('returns the ids of a response’s items or of a page of items, and no others', () => {
  const items = [{ id: 'msg_1', content: [{ id: 'no' }] }, { id: '' }, { id: 7 }, 'x', null, { id: 'rs_1' }];
  expect(reportedItemIds(JSON.stringify({ id: 'resp_1', output: items, metadata: { id: 'no' } }))).toEqual([
    'msg_1',
    'rs_1',
  ]);
  expect(reportedItemIds(JSON.stringify({ object: 'list', data: items }))).toEqual(['msg_1', 'rs_1']);
});

it('returns no ids for an unknown shape', () => {
  for (const text of ['', '<html>', 'null', '7', '[]', '{"output":null,"data":{}}'])
    expect(reportedItemIds(text)).toEqual([]);
});

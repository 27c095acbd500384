import { describe, expect, it } from 'vitest';
import { responseIdIn, itemIdsIn, recordItemId } from './response-ids.ts';
import type { ResponseProgress } from './response-writer.ts';

const metadata = { id: 'resp_of_another' };

describe('response ids', () => {
  it('are the response’s ids, not ids inside its content', () => {
    expect(responseIdIn(JSON.stringify({ metadata, id: 'resp_1' }))).toBe('resp_1');
    expect(responseIdIn(JSON.stringify({ response: { metadata, id: 'resp_1' } }), 'response')).toBe('resp_1');
    expect(responseIdIn(JSON.stringify({ metadata }))).toBeUndefined();
    expect(responseIdIn(JSON.stringify({ id: 'not this' }), 'response')).toBeUndefined();
  });

  it('include the tools of its items', () => {
    expect(itemIdsIn(JSON.stringify({ output: [{ id: 'msg_1', content: [{ id: 'x' }] }, { type: 'y' }] }))).toEqual([
      'msg_1',
    ]);
    expect(itemIdsIn('{}')).toEqual([]);
    const progress: ResponseProgress = { isFinished: false };
    recordItemId(JSON.stringify({ type: 'response.output_item.done', item: { id: 'fc_1' } }), progress);
    expect(progress.itemIds).toEqual(['fc_1']);
  });
});

import { describe, expect, it } from 'vitest';
import { fieldsForUpstream } from './foreign-fields.ts';
import type { Loss } from '../exchange/loss.ts';

describe('fieldsForUpstream', () => {
  const foreign = { protocol: 'openai', fields: { user: 'u-1', novel: [1] } } as const;

  it('passes fields to an upstream of the same protocol', () => {
    const lost: Loss[] = [];
    expect(fieldsForUpstream(foreign, 'openai', (loss) => lost.push(loss))).toEqual({ user: 'u-1', novel: [1] });
    expect(lost).toEqual([]);
  });

  it('reports each field as lost for another protocol', () => {
    const lost: Loss[] = [];
    expect(fieldsForUpstream(foreign, 'cohere', (loss) => lost.push(loss))).toEqual({});
    expect(lost).toEqual([
      { field: 'user', how: 'dropped' },
      { field: 'novel', how: 'dropped' },
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import { ridingFields } from './foreign-fields.ts';
import type { Loss } from '../loss.ts';

describe('ridingFields', () => {
  const foreign = { protocol: 'openai', fields: { user: 'u-1', novel: [1] } } as const;

  it('rides along to an upstream of the same protocol', () => {
    const lost: Loss[] = [];
    expect(ridingFields(foreign, 'openai', (loss) => lost.push(loss))).toEqual({ user: 'u-1', novel: [1] });
    expect(lost).toEqual([]);
  });

  it('tells each field that another protocol has no place for', () => {
    const lost: Loss[] = [];
    expect(ridingFields(foreign, 'cohere', (loss) => lost.push(loss))).toEqual({});
    expect(lost).toEqual([
      { field: 'user', how: 'dropped' },
      { field: 'novel', how: 'dropped' },
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import { ModelSchema } from './model-schema.ts';

const model = (more: object) => ({ id: 'm', routes: [{ upstream: 'a', model: 'm' }], ...more });

describe('ModelSchema', () => {
  it('allows losses unless `strict` is set', () => {
    expect(ModelSchema.parse(model({})).strict).toBe(false);
    expect(ModelSchema.parse(model({ strict: true })).strict).toBe(true);
  });

  it.each(['4', '0.5', '12.25'])('accepts %s as a duration', (seconds) => {
    expect(ModelSchema.safeParse(model({ default_seconds: seconds })).success).toBe(true);
  });

  it.each(['0', '-1', '0.0', 'four', '', 4])('rejects %j as a duration', (seconds) => {
    expect(ModelSchema.safeParse(model({ default_seconds: seconds })).success).toBe(false);
  });
});

import { TEXT_PROTOCOLS } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { isTextKind, TEXT_UPSTREAM_KINDS, UPSTREAM_KINDS, UpstreamSchema } from './upstream-schema.ts';

const account = { kind: 'chat-completions', base_url: 'http://a/v1' };

describe('kinds of upstream', () => {
  it('that serve text are named after the protocols', () => {
    expect(TEXT_UPSTREAM_KINDS).toEqual(TEXT_PROTOCOLS);
    expect(UPSTREAM_KINDS.filter((kind) => !isTextKind(kind))).toEqual(['videos']);
  });
});

describe('UpstreamSchema', () => {
  it.each(['api-key', 'X-Title', 'authorization'])('takes the header %s', (name) => {
    expect(UpstreamSchema.parse({ ...account, headers: { [name]: 'abc' } }).headers).toEqual({ [name]: 'abc' });
  });

  it.each(['host', 'Content-Length', 'transfer-encoding', 'connection', 'a b', ''])('refuses the header %j', (name) => {
    expect(UpstreamSchema.safeParse({ ...account, headers: { [name]: 'abc' } }).success).toBe(false);
  });

  it('refuses a header’s value that would begin another header', () => {
    expect(UpstreamSchema.safeParse({ ...account, headers: { a: 'b\r\nc: d' } }).success).toBe(false);
  });
});

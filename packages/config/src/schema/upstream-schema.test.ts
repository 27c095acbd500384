import { TEXT_PROTOCOLS } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { capabilitiesOfKind, isMediaKind, isTextKind, TEXT_UPSTREAM_KINDS, UPSTREAM_KINDS } from './kinds.ts';
import { UpstreamSchema } from './upstream-schema.ts';

const account = { kind: 'chat-completions', base_url: 'http://a/v1' };

describe('kinds of upstream', () => {
  it('of text are named after the protocols of clients, except clouds with their own protocol', () => {
    expect(TEXT_UPSTREAM_KINDS).toEqual([...TEXT_PROTOCOLS, 'bedrock']);
    expect(UPSTREAM_KINDS.filter((kind) => isTextKind(kind))).toEqual(TEXT_UPSTREAM_KINDS);
  });

  it('have capabilities, and only text kinds have `text`', () => {
    for (const kind of UPSTREAM_KINDS) {
      expect(capabilitiesOfKind(kind).length).toBeGreaterThan(0);
      expect([kind, capabilitiesOfKind(kind).includes('text')]).toEqual([kind, isTextKind(kind)]);
    }
  });

  it('are served by workers if they have `video` or `image`', () => {
    const kinds = ['videos', 'chat-completions', 'dashscope', 'responses', 'messages'] as const;
    expect(kinds.map(isMediaKind)).toEqual([true, true, true, false, false]);
  });
});

describe('UpstreamSchema', () => {
  it.each(['api-key', 'X-Title', 'authorization'])('accepts the header %s', (name) => {
    expect(UpstreamSchema.parse({ ...account, headers: { [name]: 'abc' } }).headers).toEqual({ [name]: 'abc' });
  });

  it.each(['host', 'Content-Length', 'transfer-encoding', 'connection', 'a b', ''])('rejects the header %j', (name) => {
    expect(UpstreamSchema.safeParse({ ...account, headers: { [name]: 'abc' } }).success).toBe(false);
  });

  it('rejects a header value with a line break', () => {
    expect(UpstreamSchema.safeParse({ ...account, headers: { a: 'b\r\nc: d' } }).success).toBe(false);
  });
});

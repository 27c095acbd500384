import type { MediaTask } from '@sluice/canonical';
import type { FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import { buildContentLinks } from './content-links.ts';

const NOW = 1_767_323_045_000;
let now = NOW;
const links = buildContentLinks({ secret: 'a secret', publicUrl: undefined, retentionMs: 60_000, now: () => now });
// The cast is safe because the code under test reads only these fields.
const calling = { protocol: 'https', host: 'videos.test:8443' } as FastifyRequest;
// The cast is safe because the code under test reads only these fields.
const video = { id: 'video_1', kind: 'video', expiresAt: NOW + 30_000 } as MediaTask;

function asking(url: string): FastifyRequest {
  const { pathname, search, searchParams } = new URL(url);
  // The cast is safe because the code under test reads only these fields.
  return { url: pathname + search, query: Object.fromEntries(searchParams) } as FastifyRequest;
}

describe('a link to a finished file', () => {
  it("uses the origin of the client's request and is valid until the file expires", () => {
    const link = links.linkTo(calling, video, 0);
    expect(link).toMatch(/^https:\/\/videos\.test:8443\/v1\/videos\/video_1\/content\?expires=1767323075&signature=/);
    expect(links.isValid(asking(link))).toBe(true);
    now = NOW + 31_000;
    expect(links.isValid(asking(link))).toBe(false);
    now = NOW;
  });

  it('uses the public URL if one is configured', () => {
    const options = { secret: 's', publicUrl: 'https://public.test/', retentionMs: 1, now: () => now };
    expect(buildContentLinks(options).linkTo(calling, video, 0)).toMatch(/^https:\/\/public\.test\/v1\/videos\//);
  });

  it('selects one of several images', () => {
    const image = { ...video, id: 'image_1', kind: 'image' } as const;
    expect(links.linkTo(calling, image, 2)).toContain('/v1/images/generations/image_1/content/2?');
  });

  it('is invalid for another file, expiry, or gateway, and without its signature', () => {
    const link = links.linkTo(calling, video, 0);
    const other = buildContentLinks({ secret: 'another', publicUrl: undefined, retentionMs: 1, now: () => now });
    expect(other.isValid(asking(link))).toBe(false);
    for (const forged of [
      link.replace('video_1', 'video_2'),
      link.replace('1767323075', '1767399999'),
      link.replace(/&signature=.*/, ''),
      link.replace(/signature=.*/, 'signature='),
      link.replace(/expires=\d+/, 'expires=never'),
    ]) {
      expect(forged).not.toBe(link);
      expect(links.isValid(asking(forged))).toBe(false);
    }
  });
});

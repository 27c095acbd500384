import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { MediaTask } from '@sluice/canonical';

/** Links to finished files that need no API key: players, browsers and the vendors' own clients fetch them as they are. */
export interface ContentLinks {
  /** The link to one of a task's files, from 0; valid until the file is removed. */
  linkTo(request: FastifyRequest, task: MediaTask, index: number): string;
  /** Tells whether the request's URL is such a link, still valid. */
  isValid(request: FastifyRequest): boolean;
  /** Tells whether it was one, and nothing else says who is asking. */
  isOver(request: FastifyRequest): boolean;
}

/** What links are made with. */
export interface ContentLinksOptions {
  secret: string;
  /** Where clients reach the API; absent: as their requests name it. */
  publicUrl: string | undefined;
  /** How long a file is kept that has no end yet, milliseconds. */
  retentionMs: number;
  now: () => number;
}

/** Builds {@link ContentLinks}: a link holds its end and a signature over path and end. */
export function buildContentLinks({ secret, publicUrl, retentionMs, now }: ContentLinksOptions): ContentLinks {
  const key = createHmac('sha256', secret).update('content links').digest();
  const base = publicUrl?.replace(/\/+$/, '');

  function signature(path: string, expires: string): string {
    return createHmac('sha256', key).update(`${path}\n${expires}`).digest('base64url');
  }

  return {
    linkTo(request, task, index) {
      const path =
        task.kind === 'video' ? `/v1/videos/${task.id}/content` : `/v1/images/generations/${task.id}/content/${index}`;
      const expires = String(Math.floor((task.expiresAt ?? now() + retentionMs) / 1_000));
      // A host that is none is left out: what a client sends must not become part of a link.
      const origin = base ?? URL.parse(`${request.protocol}://${request.host}`)?.origin ?? '';
      return `${origin}${path}?expires=${expires}&signature=${signature(path, expires)}`;
    },
    isOver(request) {
      const { signature: given } = request.query as { signature?: unknown }; // all that a query can hold
      return given !== undefined && request.headers.authorization === undefined && !this.isValid(request);
    },
    isValid({ url, query }) {
      const { expires, signature: given } = query as { expires?: unknown; signature?: unknown }; // all that a query can hold
      if (typeof expires !== 'string' || typeof given !== 'string' || !/^\d{1,12}$/.test(expires)) return false;
      const wanted = Buffer.from(signature(url.split('?', 1)[0] ?? '', expires));
      const found = Buffer.from(given);
      return found.length === wanted.length && timingSafeEqual(found, wanted) && Number(expires) * 1_000 > now();
    },
  };
}

import { createSigner, type MediaTask } from '@sluice/canonical';

/** Creates and verifies signed links to finished files. The links need no API key. */
export interface ContentLinker {
  /**
   * Returns the path and query. Equal arguments yield the same link.
   * @param index index of the file, from 0
   * @param endsAt expiry in Unix milliseconds
   */
  link: (task: Pick<MediaTask, 'id' | 'kind'>, index: number, endsAt: number) => string;
  /** @param now current time in Unix milliseconds */
  isValid: (path: string, query: { expires?: unknown; signature?: unknown }, now: number) => boolean;
}

/** A link contains its expiry time, and a signature of its path and expiry time. */
export function createContentLinker(secret: string): ContentLinker {
  const { sign, isSignature } = createSigner(secret, 'content links');
  return {
    link({ id, kind }, index, endsAt) {
      const path = kind === 'video' ? `/v1/videos/${id}/content` : `/v1/images/generations/${id}/content/${index}`;
      const expires = String(Math.floor(endsAt / 1_000));
      return `${path}?expires=${expires}&signature=${sign(`${path}\n${expires}`)}`;
    },
    isValid(path, { expires, signature }, now) {
      if (typeof expires !== 'string' || typeof signature !== 'string' || !/^\d{1,12}$/.test(expires)) return false;
      return isSignature(`${path}\n${expires}`, signature) && Number(expires) * 1_000 > now;
    },
  };
}

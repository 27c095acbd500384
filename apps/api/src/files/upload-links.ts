import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * The queries of URLs to which the bytes of resumable uploads are sent. Such a URL needs no API key, because Google's
 * SDK for Python sends none to it (google-genai 3.6, `_upload_fd`).
 */
export interface UploadLinks {
  /** @param owner name of the API key that has started the upload */
  queryOf(id: string, owner: string): string;
  /** Returns the owner in a query. Undefined if the query was not created here or was changed. */
  ownerIn(query: { upload_id?: unknown; owner?: unknown; signature?: unknown }): string | undefined;
}

export function createUploadLinks(secret: string): UploadLinks {
  const key = createHmac('sha256', secret).update('upload links').digest();
  const signatureOf = (id: string, owner: string): string =>
    createHmac('sha256', key).update(`${id}\n${owner}`).digest('base64url');

  return {
    queryOf: (id, owner) =>
      new URLSearchParams({
        upload_id: id,
        upload_protocol: 'resumable',
        owner,
        signature: signatureOf(id, owner),
      }).toString(),
    ownerIn({ upload_id: id, owner, signature }) {
      if (typeof id !== 'string' || typeof owner !== 'string' || typeof signature !== 'string') return undefined;
      const expected = Buffer.from(signatureOf(id, owner));
      const sent = Buffer.from(signature);
      return sent.length === expected.length && timingSafeEqual(sent, expected) ? owner : undefined;
    },
  };
}

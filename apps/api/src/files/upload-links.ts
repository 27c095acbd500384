import { createSigner } from '@sluice/canonical';

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
  const { sign, isSignature } = createSigner(secret, 'upload links');
  return {
    queryOf: (id, owner) =>
      new URLSearchParams({
        upload_id: id,
        upload_protocol: 'resumable',
        owner,
        signature: sign(`${id}\n${owner}`),
      }).toString(),
    ownerIn({ upload_id: id, owner, signature }) {
      if (typeof id !== 'string' || typeof owner !== 'string' || typeof signature !== 'string') return undefined;
      return isSignature(`${id}\n${owner}`, signature) ? owner : undefined;
    },
  };
}

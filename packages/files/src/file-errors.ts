import { GatewayError, guardStore } from '@sluice/canonical';
import type { FileSettings } from './file-settings.ts';

export function fileNotFound(): GatewayError {
  return new GatewayError(
    'file_not_found',
    'The file does not exist, or it was deleted or has expired. Upload it again.',
  );
}

export function uploadNotFound(): GatewayError {
  return new GatewayError('upload_not_found', 'The upload does not exist. Create an upload first.');
}

export function uploadEnded(): GatewayError {
  return new GatewayError('invalid_request', 'The upload is completed, cancelled, or expired. Create another upload.');
}

export function quotaReached({ ownerBytes, ownerFiles }: FileSettings): GatewayError {
  const limit = `${ownerFiles.toLocaleString('en-US')} files with ${ownerBytes.toLocaleString('en-US')} bytes in total`;
  return new GatewayError(
    'storage_quota_exceeded',
    `Storage limit reached: this key allows ${limit}. Delete files first.`,
  );
}

/** The content was removed while it was written, because the write took longer than a day. */
export function contentGone(): GatewayError {
  return new GatewayError('store_unavailable', 'The file was not stored in time. Upload it again.');
}

/** @throws GatewayError `store_unavailable` for every Redis or connection error */
export function guarded<T>(work: () => Promise<T>): Promise<T> {
  return guardStore('file store', work);
}

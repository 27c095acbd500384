export { ContentMissingError } from '@sluice/content';
export type { WrittenContent } from './file-context.ts';
export type { FilePart } from './file-parts.ts';
export type { FileSettings } from './file-settings.ts';
export {
  createFileStore,
  type FileListing,
  type FilePage,
  type FileParams,
  type FileStats,
  type FileStore,
} from './file-store.ts';
export type { UploadParams, UploadPart } from './upload-store.ts';
export { type AbandonedCopy, CLAIM_MS, type CopyPlace, type VendorCopies } from './vendor-copies.ts';
export { type FileSweeper, startFileSweeper } from './sweep-files.ts';

export {
  type ByteRange,
  ContentMissingError,
  type ContentStore,
  ContentUnavailableError,
  discardContent,
  type WrittenBlob,
} from './content-store.ts';
export { createLocalContentStore } from './local-content-store.ts';
export { type ContentSettings, openContentStore } from './open-content-store.ts';
export { type StorageMonitor, startStorageMonitor } from './storage-monitor.ts';

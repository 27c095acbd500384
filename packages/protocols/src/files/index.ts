export { copiesInGeneration } from './copies-in-generation.ts';
export { filesEndpoints } from './endpoints.ts';
export { decodeGenerativeUpload, encodeGenerativeUpload } from './generative-format.ts';
export { FilePageSchema } from './schema.ts';
export {
  FILE_FIELDS_PATTERN,
  type FileReference,
  fileReferences,
  type InlineFile,
  inlineFiles,
  referToCopies,
  type StoredReference,
} from './inline-files.ts';

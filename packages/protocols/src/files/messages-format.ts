import type { FileObject } from '@sluice/canonical';
import type { z } from 'zod';
import type { DecodedFileListing, FilesFormat } from '../contracts/files-protocol.ts';
import { withoutBlanks } from '../forms/form-fields.ts';
import { parseInput } from '../json/parse-input.ts';
import {
  CreateMessagesFileSchema,
  type DeletedMessagesFileSchema,
  ListMessagesFilesSchema,
  type MessagesFilePageSchema,
  type MessagesFileSchema,
} from './messages-schema.ts';

/** Files in Anthropic's format (@anthropic-ai/sdk 1.11, `resources/beta/files`). Older clients page by ids. */
export const messagesFiles: Omit<FilesFormat, 'encodeError'> = {
  decodeFile(fields) {
    const { expires_in_seconds: seconds } = parseInput(CreateMessagesFileSchema, withoutBlanks(fields));
    return { purpose: 'user_data', ...(seconds !== undefined && { lifetimeMs: seconds * 1_000 }) };
  },
  decodeListing(query): DecodedFileListing {
    const { limit, page, after_id, before_id } = parseInput(ListMessagesFilesSchema, withoutBlanks(query));
    const after = page ?? after_id;
    if (after !== undefined) return { limit, order: 'desc', after };
    return { limit, order: 'desc', ...(before_id !== undefined && { before: before_id }) };
  },
  encodeFile,
  encodeFiles(files, hasMore): z.output<typeof MessagesFilePageSchema> {
    const [first_id = null, last_id = null] = [files[0]?.id, files.at(-1)?.id];
    const data = files.map((file) => encodeFile(file));
    return { data, first_id, last_id, has_more: hasMore, next_page: hasMore ? last_id : null };
  },
  encodeDeleted: (id): z.output<typeof DeletedMessagesFileSchema> => ({ id, type: 'file_deleted' }),
};

function encodeFile({ id, ...file }: FileObject): z.output<typeof MessagesFileSchema> {
  return {
    id,
    type: 'file',
    filename: file.filename,
    mime_type: file.mediaType,
    size_bytes: file.bytes,
    created_at: new Date(file.createdAt).toISOString(),
    expires_at: new Date(file.expiresAt).toISOString(),
    downloadable: true,
  };
}

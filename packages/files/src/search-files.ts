import type { FileObject, FilePurpose } from '@sluice/canonical';
import type { FileContext } from './file-context.ts';
import { FILE_FIELDS, fieldsOf, parseFile } from './file-fields.ts';

export interface FileSearch {
  /** Only files of this owner. */
  owner?: string | undefined;
  purpose?: FilePurpose | undefined;
  /** `next` of the previous page. */
  after?: string | undefined;
  limit: number;
}

interface OwnedFile extends FileObject {
  owner: string;
}

export interface FoundFiles {
  files: OwnedFile[];
  /** Absent on the last page. A page before the last one can have fewer files than the limit. */
  next?: string;
}

const FIELDS = ['owner', ...FILE_FIELDS];

/** Finds files for operators: those of one owner, newest first, or of all owners, those that expire last first. */
export async function searchFiles({ redis, keys }: FileContext, search: FileSearch): Promise<FoundFiles> {
  const { owner, purpose = '', after = '', limit } = search;
  if (owner === undefined) {
    const [next, found] = await redis.filesSearch(keys.prefix, purpose, after, limit, ...FIELDS);
    return { files: found.map(([, ...values]) => ownedFile(values)), ...(next !== '' && { next }) };
  }
  const listed = await redis.filesList(keys.prefix, owner, purpose, after, '1', limit + 1, ...FIELDS);
  const files = listed.slice(0, limit).map(ownedFile);
  const last = listed.length > limit ? files.at(-1) : undefined;
  return { files, ...(last && { next: last.id }) };
}

function ownedFile(values: readonly (string | null)[]): OwnedFile {
  const fields = fieldsOf(FIELDS, values);
  return { ...parseFile(fields), owner: fields['owner'] ?? '' };
}

import { fileIdOfUri, GatewayError, isFileId, type TextProtocolName } from '@sluice/canonical';
import { isRecord } from '../json/is-record.ts';

/** A file's content, to put it into a request. */
export interface InlineFile {
  filename: string;
  mediaType: string;
  /** Base 64. */
  data: string;
}

/** A copy of a file at a vendor. */
export interface StoredReference {
  /** As requests to the vendor refer to it: an id, or a URI of Google. */
  id: string;
  mediaType: string;
}

export interface FileReference {
  id: string;
  /** Path of the reference (e.g. `messages[0][content][1]`). */
  param: string;
}

/** Matches the names of fields that can refer to files, with their quotes. */
export const FILE_FIELDS_PATTERN = /"(?:file_id|fileUri|file_uri)"/;

/** Fields that contain the conversation. */
const CONVERSATION = ['messages', 'input', 'contents', 'system', 'systemInstruction', 'system_instruction'] as const;

/** Fields that contain the client's own data. Names inside them are not references. */
const OWN_DATA: ReadonlySet<string> = new Set(['arguments', 'args', 'input', 'response']);

type Part = Record<string, unknown>;

interface PartFormat {
  /** Returns the id of the file that a part refers to. */
  idOf: (part: Part) => string | undefined;
  /** Returns the part with the content instead of the reference. */
  inline: (part: Part, file: InlineFile) => Part;
  /** Returns the part with a reference to the copy at a vendor of the same protocol. */
  refer: (part: Part, copy: StoredReference) => Part;
}

const FORMATS: Readonly<Record<TextProtocolName, PartFormat>> = {
  'chat-completions': {
    idOf: ({ type, file }) => (type === 'file' && isRecord(file) ? fileId(file['file_id']) : undefined),
    inline: ({ file: _reference, ...part }, file) => chatPart(part, file),
    refer: (part, { id }) => ({ ...part, file: { file_id: id } }),
  },
  responses: {
    idOf: ({ type, file_id: id }) => (type === 'input_file' || type === 'input_image' ? fileId(id) : undefined),
    inline: ({ file_id: _reference, ...part }, file) => responsesPart(part, file),
    refer: (part, copy) => ({ ...part, type: isImage(copy) ? 'input_image' : 'input_file', file_id: copy.id }),
  },
  messages: {
    idOf: ({ source }) => (isRecord(source) && source['type'] === 'file' ? fileId(source['file_id']) : undefined),
    inline: (part, file) => ({ ...part, source: messagesSource(file) }),
    refer: (part, { id }) => ({ ...part, source: { type: 'file', file_id: id } }),
  },
  'generative-content': {
    idOf: ({ fileData, file_data: snake }) => {
      const data = isRecord(fileData) ? fileData : snake;
      if (!isRecord(data)) return undefined;
      const uri = data['fileUri'] ?? data['file_uri'];
      return typeof uri === 'string' ? fileIdOfUri(uri) : undefined;
    },
    inline: ({ fileData: _camel, file_data: _snake, ...part }, { mediaType, data }) => ({
      ...part,
      inlineData: { mimeType: mediaType, data },
    }),
    refer: ({ fileData: _camel, file_data: _snake, ...part }, { id, mediaType }) => ({
      ...part,
      fileData: { mimeType: mediaType, fileUri: id },
    }),
  },
};

/**
 * Lists the references to files of Sluice in a conversation.
 * @throws GatewayError `invalid_request` for a reference at a place where the content cannot stand
 */
export function fileReferences(protocol: TextProtocolName, body: Part): FileReference[] {
  const references: FileReference[] = [];
  const format = FORMATS[protocol];
  visit(body, (part, param) => {
    const id = format.idOf(part);
    if (id !== undefined) {
      references.push({ id, param });
      return part;
    }
    if (fileId(part['file_id']) === undefined) return undefined;
    // A `file` object of chat completions is read with its part.
    const what = `${param}[file_id] refers to a file of the gateway, which cannot be used here. Send its content.`;
    throw new GatewayError('invalid_request', what, { param: `${param}[file_id]` });
  });
  return references;
}

/** Replaces references to files by their content. @param files by id */
export function inlineFiles(protocol: TextProtocolName, body: Part, files: ReadonlyMap<string, InlineFile>): Part {
  const { idOf, inline } = FORMATS[protocol];
  return visit(body, (part) => {
    const file = files.get(idOf(part) ?? '');
    return file && inline(part, file);
  });
}

/** Replaces references to files by references to their copies at a vendor of the same protocol. @param copies by file id */
export function referToCopies(
  protocol: TextProtocolName,
  body: Part,
  copies: ReadonlyMap<string, StoredReference>,
): Part {
  const { idOf, refer } = FORMATS[protocol];
  return visit(body, (part) => {
    const copy = copies.get(idOf(part) ?? '');
    return copy && refer(part, copy);
  });
}

/** Replaces the objects of a conversation for which `replace` returns another object. */
function visit(body: Part, replace: (part: Part, param: string) => Part | undefined): Part {
  const replaced = CONVERSATION.filter((name) => body[name] !== undefined).map(
    (name) => [name, visitValue(body[name], name, replace)] as const,
  );
  return { ...body, ...Object.fromEntries(replaced) };
}

function visitValue(value: unknown, param: string, replace: (part: Part, param: string) => Part | undefined): unknown {
  if (Array.isArray(value)) return value.map((item, at) => visitValue(item, `${param}[${at}]`, replace));
  if (!isRecord(value)) return value;
  const replaced = replace(value, param);
  if (replaced) return replaced;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      OWN_DATA.has(name) ? inner : visitValue(inner, `${param}[${name}]`, replace),
    ]),
  );
}

function fileId(value: unknown): string | undefined {
  return typeof value === 'string' && isFileId(value) ? value : undefined;
}

const AUDIO_FORMATS: Readonly<Record<string, string>> = {
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/mpeg': 'mp3',
  'audio/mp3': 'mp3',
};

function chatPart(part: Part, file: InlineFile): Part {
  const format = AUDIO_FORMATS[file.mediaType];
  if (isImage(file)) return { ...part, type: 'image_url', image_url: { url: dataUrl(file) } };
  if (format !== undefined) return { ...part, type: 'input_audio', input_audio: { data: file.data, format } };
  return { ...part, file: { filename: file.filename, file_data: dataUrl(file) } };
}

function responsesPart(part: Part, file: InlineFile): Part {
  if (!isImage(file)) return { ...part, type: 'input_file', filename: file.filename, file_data: dataUrl(file) };
  return { ...part, type: 'input_image', image_url: dataUrl(file) };
}

/** Anthropic accepts text only as text (@anthropic-ai/sdk 1.11, `PlainTextSource`). */
function messagesSource({ mediaType, data }: InlineFile): Part {
  if (!isText(mediaType)) return { type: 'base64', media_type: mediaType, data };
  return { type: 'text', media_type: 'text/plain', data: Buffer.from(data, 'base64').toString() };
}

function isText(mediaType: string): boolean {
  return mediaType.startsWith('text/') || mediaType === 'application/json';
}

function isImage({ mediaType }: Pick<InlineFile, 'mediaType'>): boolean {
  return mediaType.startsWith('image/');
}

function dataUrl({ mediaType, data }: InlineFile): string {
  return `data:${mediaType};base64,${data}`;
}

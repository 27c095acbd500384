import type { UpstreamBody } from './fetch-upstream.ts';

export interface FormFile {
  name: string;
  filename: string;
  mediaType: string;
  bytes: number;
  source: AsyncIterable<Uint8Array>;
}

export interface Form {
  fields: [name: string, value: string][];
  files: FormFile[];
}

export type MultipartBody = Extract<UpstreamBody, { kind: 'stream' }> & { bytes: number };

/** Quotes a name as browsers do (WHATWG HTML, multipart/form-data), so that the name cannot end the header line. */
function quoted(name: string): string {
  return `"${name.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22')}"`;
}

function fieldHead(boundary: string, name: string): string {
  return `--${boundary}\r\ncontent-disposition: form-data; name=${quoted(name)}\r\n\r\n`;
}

export function fieldPart(boundary: string, name: string, value: string): string {
  return `${fieldHead(boundary, name)}${value}\r\n`;
}

export function formEnd(boundary: string): string {
  return `--${boundary}--\r\n`;
}

export function fileHead(boundary: string, file: Pick<FormFile, 'name' | 'filename' | 'mediaType'>): string {
  // The media type comes from the client. If it is invalid, it is replaced by `application/octet-stream`.
  const mediaType = /^[\w.+-]+\/[\w.+-]+$/.test(file.mediaType) ? file.mediaType : 'application/octet-stream';
  return (
    `--${boundary}\r\ncontent-disposition: form-data; name=${quoted(file.name)}; filename=${quoted(file.filename)}\r\n` +
    `content-type: ${mediaType}\r\n\r\n`
  );
}

async function* chunks(form: Form, boundary: string): AsyncGenerator<Uint8Array> {
  const fields = form.fields.map(([name, value]) => fieldPart(boundary, name, value));
  yield Buffer.from(fields.join(''));
  for (const file of form.files) {
    yield Buffer.from(fileHead(boundary, file));
    yield* file.source;
    yield Buffer.from('\r\n');
  }
  yield Buffer.from(formEnd(boundary));
}

/** Returns a boundary for a task's form. No part can contain the boundary, because the task id is unguessable. */
export function boundaryOf(taskId: string): string {
  return `sluice-${taskId.replaceAll(/[^\w-]/g, '').slice(0, 60)}`;
}

/**
 * Encodes a form as multipart/form-data. Files are streamed, but the total length is known in advance.
 * @param boundary 1–70 characters of `A-Za-z0-9_-`; no part may contain it
 */
export function multipartBody(form: Form, boundary: string): MultipartBody {
  let bytes = formEnd(boundary).length;
  for (const [name, value] of form.fields) bytes += Buffer.byteLength(fieldPart(boundary, name, value));
  for (const file of form.files) bytes += Buffer.byteLength(fileHead(boundary, file)) + file.bytes + 2;
  return {
    kind: 'stream',
    contentType: `multipart/form-data; boundary=${boundary}`,
    bytes,
    source: chunks(form, boundary),
  };
}

import type { UpstreamBody } from './fetch-upstream.ts';

/** A file of a form, its bytes already open. */
export interface FormFile {
  name: string;
  filename: string;
  mediaType: string;
  /** Exact length of `source` in bytes. */
  bytes: number;
  source: AsyncIterable<Uint8Array>;
}

/** A form to be sent. */
export interface Form {
  fields: [name: string, value: string][];
  files: FormFile[];
}

/** Quotes a name as browsers do (WHATWG HTML, multipart/form-data): nothing in it can end the header line. */
function quoted(name: string): string {
  return `"${name.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22')}"`;
}

function fieldHead(boundary: string, name: string): string {
  return `--${boundary}\r\ncontent-disposition: form-data; name=${quoted(name)}\r\n\r\n`;
}

function fileHead(boundary: string, file: FormFile): string {
  // A media type comes from a client; what is not one is told as plain bytes.
  const mediaType = /^[\w.+-]+\/[\w.+-]+$/.test(file.mediaType) ? file.mediaType : 'application/octet-stream';
  return (
    `--${boundary}\r\ncontent-disposition: form-data; name=${quoted(file.name)}; filename=${quoted(file.filename)}\r\n` +
    `content-type: ${mediaType}\r\n\r\n`
  );
}

async function* pieces(form: Form, boundary: string): AsyncGenerator<Uint8Array> {
  const fields = form.fields.map(([name, value]) => `${fieldHead(boundary, name)}${value}\r\n`);
  yield Buffer.from(fields.join(''));
  for (const file of form.files) {
    yield Buffer.from(fileHead(boundary, file));
    yield* file.source;
    yield Buffer.from('\r\n');
  }
  yield Buffer.from(`--${boundary}--\r\n`);
}

/** A boundary for the form of a task: its id is unguessable, so no part of the form can hold it. */
export function boundaryOf(taskId: string): string {
  return `sluice-${taskId.replaceAll(/[^\w-]/g, '').slice(0, 60)}`;
}

/**
 * Spells a form as multipart/form-data. Files are streamed, never held; the length is told beforehand.
 * @param boundary 1–70 characters of `A-Za-z0-9_-` that no part of the form can know.
 */
export function multipartBody(form: Form, boundary: string): UpstreamBody {
  const end = `--${boundary}--\r\n`;
  let bytes = end.length;
  for (const [name, value] of form.fields) bytes += Buffer.byteLength(`${fieldHead(boundary, name)}${value}\r\n`);
  for (const file of form.files) bytes += Buffer.byteLength(fileHead(boundary, file)) + file.bytes + 2;
  return {
    kind: 'stream',
    contentType: `multipart/form-data; boundary=${boundary}`,
    bytes,
    source: pieces(form, boundary),
  };
}

import { createHash } from 'node:crypto';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import type { JobInput } from '../../jobs/media-job.ts';
import { describeReference } from '../media/describe-input.ts';
import { invalidValue, openAiError } from '../openai-style/openai-error.ts';

export interface VideoForm {
  fields: Map<string, unknown>;
  inputs: JobInput[];
}

const REFERENCE = 'input_reference';

/** Measures a file as a stream; its bytes are not stored. */
async function measureFile(part: MultipartFile): Promise<JobInput> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of part.file) {
    // Busboy streams bytes: no encoding is set.
    const segment: unknown = chunk;
    if (!Buffer.isBuffer(segment)) throw new TypeError('A file part must stream bytes.');
    hash.update(segment);
    bytes += segment.length;
  }
  if (part.file.truncated) {
    throw openAiError(413, 'The file is too large.', { param: part.fieldname, code: 'file_too_large' });
  }
  const { fieldname: field, filename, mimetype: mediaType } = part;
  return { field, filename, mediaType, bytes, sha256: hash.digest('hex') };
}

async function readMultipart(request: FastifyRequest): Promise<VideoForm> {
  const form: VideoForm = { fields: new Map(), inputs: [] };
  for await (const part of request.parts()) {
    if (part.type === 'file') {
      form.inputs.push(await measureFile(part));
    } else if (/^input_reference\[(image_url|file_id)\]$/.test(part.fieldname)) {
      form.inputs.push(describeReference(REFERENCE, String(part.value)));
    } else {
      form.fields.set(part.fieldname, part.value);
    }
  }
  return form;
}

function readJson(body: unknown): VideoForm {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw openAiError(400, 'The body must be a JSON object or a multipart form.', { code: 'invalid_body' });
  }
  const fields = new Map<string, unknown>(Object.entries(body));
  const reference = fields.get(REFERENCE);
  if (reference === undefined || reference === null) return { fields, inputs: [] };
  const named = new Map<string, unknown>(typeof reference === 'object' ? Object.entries(reference) : []);
  const value = named.get('image_url') ?? named.get('file_id');
  if (typeof value !== 'string') {
    throw invalidValue(REFERENCE, "Invalid 'input_reference': expected a file, 'image_url' or 'file_id'.");
  }
  return { fields, inputs: [describeReference(REFERENCE, value)] };
}

export async function readForm(request: FastifyRequest): Promise<VideoForm> {
  return request.isMultipart() ? readMultipart(request) : readJson(request.body ?? {});
}

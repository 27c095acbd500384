import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { hashFile } from '../../http/hash-file.ts';
import type { JobInput } from '../../jobs/media-job.ts';
import { isObject } from '../../schema/json.ts';
import { describeReference } from '../media/describe-input.ts';
import { invalidValue, openAiError } from '../openai-style/openai-error.ts';

export interface VideoForm {
  fields: Map<string, unknown>;
  inputs: JobInput[];
}

const REFERENCE = 'input_reference';

async function measureFile(part: MultipartFile): Promise<JobInput> {
  const measured = await hashFile(part);
  if (part.file.truncated) {
    throw openAiError(413, 'The file is too large.', { param: part.fieldname, code: 'file_too_large' });
  }
  const { fieldname: field, filename, mimetype: mediaType } = part;
  return { field, filename, mediaType, ...measured };
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
  if (!isObject(body)) {
    throw openAiError(400, 'The body must be a JSON object or a multipart form.', { code: 'invalid_body' });
  }
  const fields = new Map<string, unknown>(Object.entries(body));
  const reference = fields.get(REFERENCE);
  if (reference === undefined || reference === null) return { fields, inputs: [] };
  const { image_url: url, file_id: id } = Object(reference);
  const value: unknown = url ?? id;
  if (typeof value !== 'string') {
    throw invalidValue(REFERENCE, "Invalid 'input_reference': expected a file, 'image_url' or 'file_id'.");
  }
  return { fields, inputs: [describeReference(REFERENCE, value)] };
}

export async function readForm(request: FastifyRequest): Promise<VideoForm> {
  return request.isMultipart() ? readMultipart(request) : readJson(request.body ?? {});
}

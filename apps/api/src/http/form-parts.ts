import type { MultipartFile } from '@fastify/multipart';
import { GatewayError } from '@sluice/canonical';
import { type JsonCounts, parseJsonText } from '@sluice/protocols';
import type { FastifyRequest } from 'fastify';
import { FieldBudget } from './field-budget.ts';
import { type FormLimits, MAX_FIELDS, namelessPart, tooManyFields, tooManyFiles } from './form-limits.ts';
import { printable } from './printable.ts';

export type FormPart =
  | { type: 'field'; name: string; value: unknown }
  | { type: 'file'; name: string; file: MultipartFile };

/**
 * Reads the parts of a form in their order. A file must be consumed before the next part is read. The value of a part
 * whose type is JSON is parsed.
 * @param maxFiles if omitted, the number of files is not limited
 * @throws GatewayError, and the form parser's errors, which `formError` and `gatewayErrorOf` convert
 */
export async function* formParts(
  request: FastifyRequest,
  limits: FormLimits,
  maxFiles = Infinity,
): AsyncGenerator<FormPart, void> {
  const budget = new FieldBudget(limits.json_bytes, request.bodyMemory);
  const counts = { elements: 0, values: 0 };
  let fields = 0;
  let files = 0;
  const parts = request.parts({
    limits: { fileSize: limits.upload_bytes, fieldSize: limits.json_bytes, fields: MAX_FIELDS },
    // JSON parts are treated as files, so that they can be checked before they are parsed.
    isPartAFile: (_name, type, filename) =>
      filename !== undefined || type === 'application/octet-stream' || isJson(type),
  });
  for await (const part of parts) {
    const name: string | undefined = part.fieldname;
    if (name === undefined) throw namelessPart();
    if (part.type === 'file' && !(isJson(part.mimetype) && part.filename === undefined)) {
      files += 1;
      if (files > maxFiles) throw tooManyFiles();
      yield { type: 'file', name, file: part };
      continue;
    }
    fields += 1;
    if (fields > MAX_FIELDS) throw tooManyFields();
    budget.addText(name);
    if (part.type === 'field') budget.addText(String(part.value), part.valueTruncated);
    yield {
      type: 'field',
      name,
      value: part.type === 'field' ? part.value : await readJson(name, part, budget, counts),
    };
  }
}

function isJson(type: string | undefined): boolean {
  return type?.startsWith('application/json') ?? false;
}

/** @param counts shared by all JSON parts of the form. @returns an empty string for an empty part, as for other fields */
async function readJson(
  name: string,
  { file }: MultipartFile,
  budget: FieldBudget,
  counts: JsonCounts,
): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of file as AsyncIterable<Uint8Array>) {
    budget.addBytes(chunk.byteLength);
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString();
  if (text.trim() === '') return '';
  try {
    return parseJsonText(text, printable(name), counts);
  } catch (error) {
    throw error instanceof GatewayError ? new GatewayError(error.code, error.message, { param: name }) : error;
  }
}

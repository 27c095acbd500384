import { describe, expect, it } from 'vitest';
import { multipartBody, type Form } from './multipart-body.ts';

async function* bytesOf(...parts: string[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield Buffer.from(part);
}

/** Parses the form with Node's built-in parser. */
async function parsed(form: Form) {
  const body = multipartBody(form, 'edge');
  if (body.kind !== 'stream') throw new Error('expected a stream');
  const chunks: Uint8Array[] = [];
  for await (const chunk of body.source) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  const fields = await new Response(bytes, { headers: { 'content-type': body.contentType } }).formData();
  return { fields, declaredLength: body.bytes, length: bytes.length };
}

describe('multipartBody', () => {
  it('sends each part unchanged, with the declared length', async () => {
    const { fields, declaredLength, length } = await parsed({
      fields: [
        ['prompt', 'ein Drachen über dem See\r\nrot'],
        ['tags[]', 'a'],
        ['tags[]', 'b'],
      ],
      files: [
        { name: 'input_reference', filename: 'ö.png', mediaType: 'image/png', bytes: 6, source: bytesOf('abc', 'def') },
      ],
    });
    expect(fields.get('prompt')).toBe('ein Drachen über dem See\r\nrot');
    expect(fields.getAll('tags[]')).toEqual(['a', 'b']);
    const file = fields.get('input_reference');
    if (!(file instanceof File)) throw new Error('expected a file');
    expect([file.name, file.type, await file.text()]).toEqual(['ö.png', 'image/png', 'abcdef']);
    expect(declaredLength).toBe(length);
  });

  it('escapes names that would end their header', async () => {
    const { fields } = await parsed({
      fields: [['a"\r\ncontent-type: x\r\n\r\nb', 'v']],
      files: [{ name: 'f', filename: 'x"\r\ny', mediaType: 'image/png\r\nx: y', bytes: 1, source: bytesOf('z') }],
    });
    expect([...fields.keys()]).toHaveLength(2);
    const file = fields.get('f');
    expect(file instanceof File && file.type).toBe('application/octet-stream');
  });
});

import { LIMITS } from './full-rig.ts';

export interface MalformedForm {
  title: string;
  body: Buffer | string;
  /** By default, `multipart/form-data; boundary=b`. */
  type?: string;
}

const part = (name: string, value = 'x') => `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const file = (filename: string, bytes = 'x', name = 'file') =>
  `--b\r\ncontent-disposition: form-data; name="${name}"; ${filename}\r\ncontent-type: image/png\r\n\r\n${bytes}\r\n`;
const END = '--b--\r\n';
const fields = `${part('model', 'video')}${part('prompt', 'a kite')}`;
const named = (filename: string) => fields + file(`filename="${filename}"`) + END;
const long = (bytes: number) => 'x'.repeat(bytes);

/** Malformed forms for every endpoint that accepts forms. */
export const MALFORMED_FORMS: readonly MalformedForm[] = [
  { title: 'no part', body: END },
  { title: 'nothing', body: '' },
  { title: 'an unterminated form', body: fields + part('a', long(1_000)).slice(0, -2) },
  { title: "a form that ends in a part's headers", body: `${fields}--b\r\ncontent-disposition: form-da` },
  { title: 'a form that ends in a boundary', body: `${fields}--` },
  { title: 'five thousand fields', body: Array.from({ length: 5_000 }, (_, at) => part(`f${at}`)).join('') + END },
  { title: 'one field a thousand times', body: part('prompt').repeat(1_000) + END },
  { title: 'two thousand files', body: file('filename="a.png"').repeat(2_000) + END },
  { title: 'a thousand empty parts', body: '--b\r\n\r\n\r\n'.repeat(1_000) + END },
  { title: 'a part without headers', body: `--b\r\n\r\nx\r\n${END}` },
  { title: 'a part without a name', body: `--b\r\ncontent-disposition: form-data\r\n\r\nx\r\n${END}` },
  {
    title: 'a part with two names',
    body: `--b\r\ncontent-disposition: form-data; name="model"; name="prompt"\r\n\r\nx\r\n${END}`,
  },
  {
    title: 'a part of another disposition',
    body: `--b\r\ncontent-disposition: attachment; filename="a"\r\n\r\nx\r\n${END}`,
  },
  {
    title: 'a header flood in a part',
    body: `--b\r\n${'x-a: b\r\n'.repeat(10_000)}content-disposition: form-data; name="a"\r\n\r\nx\r\n${END}`,
  },
  {
    title: 'a long header in a part',
    body: `--b\r\nx-a: ${long(100_000)}\r\ncontent-disposition: form-data; name="a"\r\n\r\nx\r\n${END}`,
  },
  {
    title: 'a folded header in a part',
    body: `--b\r\ncontent-disposition: form-data;\r\n name="model"\r\n\r\nvideo\r\n${END}`,
  },
  { title: 'a field named __proto__', body: `${fields}${part('__proto__', '{"isAdmin":true}')}${END}` },
  { title: 'a field named constructor', body: `${fields}${part('constructor')}${part('toString')}${END}` },
  {
    title: 'a field in __proto__',
    body: `${fields}${part('__proto__[isAdmin]', 'true')}${part('constructor[prototype][isAdmin]', '1')}${END}`,
  },
  { title: 'a long name', body: `${fields}${part(long(100_000))}${END}` },
  { title: 'an empty name', body: `${fields}${part('')}${END}` },
  { title: 'a name of NUL', body: `${fields}${part('a\0b')}${END}` },
  { title: 'deep brackets', body: `${fields}${part(`a${'[b]'.repeat(10_000)}`)}${END}` },
  { title: 'a long value', body: `${part('model', 'video')}${part('prompt', long(200_000))}${END}` },
  {
    title: 'invalid UTF-8 in a value',
    body: Buffer.from(`${part('model', 'video')}${part('prompt', '\xff\xfe\xed\xa0\x80')}${END}`, 'latin1'),
  },
  { title: 'NUL in a value', body: `${part('model', 'video')}${part('prompt', 'a\0b')}${END}` },
  { title: 'a filename with path traversal', body: named('../../../../etc/passwd') },
  { title: 'a filename with backslash path traversal', body: named(String.raw`..\..\windows\win.ini`) },
  { title: 'an absolute filename', body: named('/etc/passwd') },
  { title: 'a filename of NUL', body: named('a.png\0.mp4') },
  { title: 'a long filename', body: named(long(50_000)) },
  { title: 'an empty filename', body: named('') },
  { title: 'a filename of dots', body: named('..') },
  {
    title: 'a filename in two encodings',
    body: fields + file(`filename="a.png"; filename*=UTF-8''..%2f..%2fetc%2fpasswd`) + END,
  },
  { title: 'a filename with invalid percent encoding', body: fields + file(`filename*=UTF-8''%zz%`) + END },
  { title: 'a filename in an unknown charset', body: fields + file(`filename*=evil''a`) + END },
  { title: 'a filename with line breaks', body: named('a\r\nx-evil: 1') },
  { title: 'a file that is too large', body: fields + file('filename="a.png"', long(LIMITS.upload_bytes)) + END },
  {
    title: 'a file in place of a field',
    body: file('filename="a"', 'video', 'model') + file('filename="b"', 'x', 'prompt') + END,
  },
  {
    title: 'a form in a form',
    body: `--b\r\ncontent-disposition: form-data; name="file"\r\ncontent-type: multipart/mixed; boundary=c\r\n\r\n--c\r\n\r\nx\r\n--c--\r\n${END}`,
  },
  {
    title: 'a part in base64',
    body: `--b\r\ncontent-disposition: form-data; name="prompt"\r\ncontent-transfer-encoding: base64\r\n\r\neA==\r\n${END}`,
  },
  {
    title: 'a part with a content encoding',
    body: `--b\r\ncontent-disposition: form-data; name="prompt"\r\ncontent-encoding: gzip\r\n\r\nx\r\n${END}`,
  },
  {
    title: 'a part in UTF-7',
    body: `--b\r\ncontent-disposition: form-data; name="prompt"\r\ncontent-type: text/plain; charset=utf-7\r\n\r\n+AC8-\r\n${END}`,
  },
  {
    title: 'a part with invalid JSON',
    body: `--b\r\ncontent-disposition: form-data; name="prompt"\r\ncontent-type: application/json\r\n\r\n{"a\r\n${END}`,
  },
  {
    title: 'a part with deeply nested JSON',
    body: `--b\r\ncontent-disposition: form-data; name="prompt"\r\ncontent-type: application/json\r\n\r\n${'['.repeat(50_000)}\r\n${END}`,
  },
  { title: 'lines that end in LF', body: (fields + END).replaceAll('\r\n', '\n') },
  { title: 'a long preamble', body: long(100_000) + fields + END },
  { title: 'a long epilogue', body: fields + END + long(100_000) },
  { title: 'a second form after the end', body: fields + END + part('model', 'carols') + END },
  { title: 'similar boundaries', body: `--bb\r\n\r\nx\r\n--b\r\n${fields}${END}` },
  { title: 'dashes without an end', body: '--b'.repeat(30_000) },
  { title: 'no boundary', body: fields + END, type: 'multipart/form-data' },
  { title: 'an empty boundary', body: fields + END, type: 'multipart/form-data; boundary=' },
  { title: 'a long boundary', body: fields + END, type: `multipart/form-data; boundary=${long(5_000)}` },
  { title: 'two boundaries', body: fields + END, type: 'multipart/form-data; boundary=a; boundary=b' },
  { title: 'an unterminated boundary', body: fields + END, type: 'multipart/form-data; boundary="b' },
  { title: 'a boundary with special characters', body: fields + END, type: 'multipart/form-data; boundary=.*+?[' },
  { title: 'another kind of multipart', body: fields + END, type: 'multipart/mixed; boundary=b' },
  { title: 'an empty multipart type', body: fields + END, type: 'multipart/; boundary=b' },
];

import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { LIMITS } from './full-rig.ts';

/** A malformed body, derived from a valid one. */
export interface MalformedBody {
  title: string;
  /** @param good the JSON of a valid request */
  body: (good: string) => Buffer | string;
  headers?: Record<string, string>;
  /** The expected status. If omitted, any status is accepted except an internal error. */
  status?: number;
}

const deep = (open: string, close: string, levels: number) => open.repeat(levels) + close.repeat(levels);
const withMember = (good: string, member: string) => `{${member},${good.slice(1)}`;
const spaces = Buffer.alloc(4 * 1024 * 1024, ' ');
const bombs = {
  gzip: gzipSync(spaces),
  deflate: deflateSync(spaces),
  brotli: brotliCompressSync(spaces),
  twice: gzipSync(gzipSync(spaces)),
};

/** Malformed bodies for every endpoint that accepts JSON. */
export const MALFORMED_BODIES: readonly MalformedBody[] = [
  { title: 'invalid UTF-8 in a string', body: (good) => splice(good, Buffer.from([0xff, 0xfe, 0xc3, 0x28])) },
  { title: 'a lone surrogate as bytes', body: (good) => splice(good, Buffer.from([0xed, 0xa0, 0x80])) },
  { title: 'a lone surrogate as an escape', body: (good) => splice(good, String.raw`\ud800`) },
  { title: 'NUL as an escape', body: (good) => splice(good, String.raw`\u0000`) },
  { title: 'NUL as a byte', body: (good) => splice(good, '\0'), status: 400 },
  { title: 'an overlong slash', body: (good) => splice(good, Buffer.from([0xc0, 0xaf])) },
  { title: 'a byte order mark', body: (good) => `\ufeff${good}`, status: 400 },
  { title: 'UTF-16', body: (good) => Buffer.from(good, 'utf16le'), status: 400 },
  { title: 'nested arrays', body: () => deep('[', ']', 60_000), status: 400 },
  { title: 'unclosed arrays', body: () => '['.repeat(120_000), status: 400 },
  { title: 'nested objects', body: () => deep('{"a":', '}', 20_000).replace('}', '1}') },
  { title: 'a deep array in an unknown field', body: (good) => withMember(good, `"x":${deep('[', ']', 20_000)}`) },
  {
    title: 'a deep object in an unknown field',
    body: (good) => withMember(good, `"x":${deep('{"y":[', ']}', 10_000)}`),
  },
  {
    title: 'a field named __proto__',
    body: (good) => withMember(good, '"__proto__":{"model":"video","isAdmin":true}'),
  },
  {
    title: 'a field named constructor',
    body: (good) => withMember(good, '"constructor":{"prototype":{"isAdmin":true}}'),
  },
  { title: 'fields named like methods', body: (good) => withMember(good, '"toString":1,"valueOf":null,"then":{}') },
  { title: 'a duplicate field', body: (good) => `${good.slice(0, -1)},"model":{"a":1},"model":[]}` },
  { title: 'an infinite number', body: (good) => withMember(good, '"n":1e400,"seed":1e400,"temperature":1e400') },
  { title: 'a number of 20,000 digits', body: (good) => withMember(good, `"seed":${'9'.repeat(20_000)}`) },
  {
    title: 'negative zero and the smallest number',
    body: (good) => withMember(good, '"max_tokens":-0,"top_p":5e-324'),
  },
  { title: 'unsafe integers', body: (good) => withMember(good, '"seed":9007199254740993,"n":-1') },
  { title: 'a long string', body: (good) => withMember(good, `"user":"${'x'.repeat(LIMITS.json_bytes / 2)}"`) },
  { title: 'a long field name', body: (good) => withMember(good, `"${'n'.repeat(LIMITS.json_bytes / 2)}":1`) },
  { title: 'many fields', body: (good) => withMember(good, members(8_000)) },
  { title: 'an array of many nulls', body: (good) => withMember(good, `"messages":[${'null,'.repeat(20_000)}null]`) },
  { title: 'NaN', body: (good) => withMember(good, '"seed":NaN'), status: 400 },
  { title: 'a comment', body: (good) => `/* */${good}`, status: 400 },
  { title: 'a trailing comma', body: (good) => `${good.slice(0, -1)},}`, status: 400 },
  { title: 'two documents', body: (good) => `${good}\n${good}`, status: 400 },
  { title: 'more than the size limit', body: (good) => good + ' '.repeat(LIMITS.json_bytes), status: 413 },
  { title: 'a zip bomb', body: () => bombs.gzip, headers: { 'content-encoding': 'gzip' }, status: 413 },
  { title: 'a deflate bomb', body: () => bombs.deflate, headers: { 'content-encoding': 'deflate' }, status: 415 },
  { title: 'a brotli bomb', body: () => bombs.brotli, headers: { 'content-encoding': 'br' }, status: 413 },
  {
    title: 'a nested zip bomb',
    body: () => bombs.twice,
    headers: { 'content-encoding': 'gzip, gzip' },
    status: 415,
  },
  {
    title: 'a second content encoding',
    body: () => bombs.gzip,
    headers: { 'content-encoding': 'identity, gzip' },
    status: 415,
  },
  {
    title: 'an unknown content encoding',
    body: (good) => good,
    headers: { 'content-encoding': 'x-evil' },
    status: 415,
  },
  { title: 'a zip bomb declared as JSON', body: () => bombs.gzip, status: 400 },
  { title: 'text', body: (good) => good, headers: { 'content-type': 'text/plain' }, status: 415 },
  {
    title: 'XML',
    body: () => '<!DOCTYPE x [<!ENTITY e "e">]><x/>',
    headers: { 'content-type': 'text/xml' },
    status: 415,
  },
  { title: 'a content type with many parameters', body: (good) => good, headers: { 'content-type': parameters(500) } },
  { title: 'an invalid content type', body: (good) => good, headers: { 'content-type': '/;=' }, status: 415 },
  {
    title: 'an URL-encoded form',
    body: () => 'model[__proto__][x]=1',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    status: 415,
  },
];

/** Adds a field with a string that contains the bytes. */
function splice(good: string, bytes: Buffer | string): Buffer {
  const before = '{"user":"a';
  return Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(`b",${good.slice(1)}`)]);
}

function members(count: number): string {
  return Array.from({ length: count }, (_, at) => `"m${at}":${at}`).join(',');
}

function parameters(count: number): string {
  return `application/json${Array.from({ length: count }, (_, at) => `;p${at}=1`).join('')}`;
}

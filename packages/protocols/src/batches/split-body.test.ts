import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GENERATIVE_REQUESTS_PATH } from './inline-requests.ts';
import { BodySplitter } from './split-body.ts';

/** Splits a body that arrives in chunks of a size, and parses all elements. */
function split(body: string, path: ConstructorParameters<typeof BodySplitter>[0]['path'], size = 7) {
  const splitter = new BodySplitter({ path, maxBytes: 1_000 });
  const bytes = Buffer.from(body);
  const elements: unknown[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    for (const element of splitter.push(bytes.subarray(at, at + size))) {
      elements.push(JSON.parse(Buffer.from(element).toString()));
    }
  }
  return { elements, rest: splitter.end() };
}

const requests = [['requests']];

describe('BodySplitter', () => {
  it('splits any body into the elements and the rest, however it is cut', () => {
    const others = fc.dictionary(
      fc.string({ unit: 'binary' }).filter((name) => name !== 'requests' && name !== '__proto__'),
      fc.jsonValue({ maxDepth: 3 }),
    );
    const elements = fc.array(fc.jsonValue({ maxDepth: 3 }), { maxLength: 5 });
    fc.assert(
      fc.property(
        others,
        elements,
        others,
        fc.constantFrom(undefined, 1),
        fc.integer({ min: 1, max: 40 }),
        (before, array, after, space, size) => {
          const body = { ...before, requests: array, ...after };
          const found = split(JSON.stringify(body, null, space), requests, size);
          expect(found.elements).toEqual(JSON.parse(JSON.stringify(array)));
          expect(found.rest).toEqual(JSON.parse(JSON.stringify({ ...body, requests: [] })));
        },
      ),
    );
  });

  it('finds an array inside objects, under each name, and no other array with the same name', () => {
    const inner = '"requests":{"requests":[{"a":[1,{"requests":[2]}]},2],"x":1}';
    const other = '"other":{"requests":{"requests":[3]}},"requests":[4],"text":"inputConfig","n":5';
    for (const name of ['inputConfig', 'input_config']) {
      const body = `{${other},"batch":{"x":{"requests":[5]},"${name}":{${inner},"fileName":null}}}`;
      const { elements, rest } = split(body, GENERATIVE_REQUESTS_PATH);
      expect(elements).toEqual([{ a: [1, { requests: [2] }] }, 2]);
      const config = { requests: { requests: [], x: 1 }, fileName: null };
      expect(rest).toEqual({ ...JSON.parse(`{${other}}`), batch: { x: { requests: [5] }, [name]: config } });
    }
  });

  it.each([
    ['a missing element', '{"requests":[{},,{}]}'],
    ['a trailing comma', '{"requests":[{},]}'],
    ['a leading comma', '{"requests":[,{}]}'],
    ['a missing comma', '{"requests":[{} {}]}'],
    ['the wrong bracket', '{"requests":[{}}}'],
    ['a bracket too many', '{"requests":[{}]]}'],
    ['a cut body', '{"requests":[{}'],
    ['a cut text', '{"requests":[{"a":"b'],
    ['text after the end', '{"requests":[{}]} {}'],
    ['no object', '[{"requests":[]}]'],
    ['nothing', ''],
  ])('finds no valid JSON in a body with %s', (_title, body) => {
    expect(() => split(body, requests)).toThrow();
  });

  it('rejects a second array, a large element, and a large rest', () => {
    expect(() => split('{"requests":[1],"requests":[2]}', requests)).toThrow('`requests` appears twice');
    const large = { code: 'payload_too_large' };
    expect(() => split(`{"requests":["${'x'.repeat(1_000)}"]}`, requests)).toThrow(expect.objectContaining(large));
    expect(() => split(`{"other":"${'x'.repeat(300_000)}"}`, requests, 1_000)).toThrow(expect.objectContaining(large));
  });

  it('leaves an array with an escaped name in the rest', () => {
    expect(split('{"re\\u0071uests":[1]}', requests)).toEqual({ elements: [], rest: { requests: [1] } });
  });
});

import fc from 'fast-check';
import { GatewayError } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { countedReads } from '../../test/counted-reads.ts';
import { decodeBatchEmbedContents, decodeEmbedContent } from './request.ts';

const content = { parts: [{ text: 'a' }] };
const google = (fields = {}) => ({ protocol: 'generative-content', fields });
const one = (body: unknown) => decodeEmbedContent({ body, model: 'p' });
const decodeBatch = (...requests: unknown[]) => decodeBatchEmbedContents({ body: { requests }, model: 'p' });

describe('embedContent', () => {
  it("reads every field of Google's clients", () => {
    const body = { content, taskType: 'CLUSTERING', title: 't', outputDimensionality: 8, novel: 1 };
    expect(one(body)).toEqual({
      model: 'p',
      params: {
        inputs: ['a'],
        dimensions: 8,
        task: 'CLUSTERING',
        titles: ['t'],
        prefersBase64: false,
        foreign: google({ novel: 1 }),
      },
    });
  });

  it('accepts snake_case, prefers camel case, and treats null as absent', () => {
    expect(one({ content, task_type: 'CLUSTERING', output_dimensionality: 8, title: null }).params).toEqual(
      one({ content, taskType: 'CLUSTERING', outputDimensionality: 8 }).params,
    );
    expect(one({ content, taskType: 'A', task_type: 'B' }).params.task).toBe('A');
    expect(one({ content, taskType: null, task_type: 'B' }).params.task).toBe('B');
  });

  it('joins several parts to one text and accepts one part without a list', () => {
    expect(one({ content: { parts: [{ text: 'a' }, { text: 'b' }] } }).params.inputs).toEqual(['a\nb']);
    expect(one({ content: { parts: { text: 'a' } } }).params.inputs).toEqual(['a']);
  });

  it('uses the model of the path, which the body may repeat with `models/` or without', () => {
    for (const model of ['p', 'models/p', null]) expect(one({ content, model }).model).toBe('p');
    expect(decodeEmbedContent({ body: { content, model: 'p' }, model: 'models/p' }).model).toBe('models/p');
    expect(() => one({ content, model: 'models/other' })).toThrow(
      expect.objectContaining({ code: 'invalid_request', param: 'model' }),
    );
    expect(decodeEmbedContent({ body: { content, model: 'models/other' }, model: 'p' }, 'any').model).toBe('p');
    expect(decodeEmbedContent({ body: { content, model: 'models/other' } }).model).toBe('other');
  });

  it.each([
    [undefined, 'content'],
    [{}, 'content'],
    [{ content: 'a' }, 'content'],
    [{ content: {} }, 'content[parts]'],
    [{ content: { parts: [] } }, 'content[parts]'],
    [{ content: { parts: 'a' } }, 'content[parts]'],
    [{ content: { parts: [{ text: '' }] } }, 'content[parts]'],
    [{ content: { parts: [{}] } }, 'content[parts][0][text]'],
    [{ content, taskType: 1 }, 'taskType'],
    [{ content, title: 1 }, 'title'],
    [{ content, outputDimensionality: 0 }, 'outputDimensionality'],
    [{ content, output_dimensionality: 'x' }, 'outputDimensionality'],
    [{ content, model: '' }, 'model'],
  ])('rejects %j', (body, param) => {
    expect(() => one(body)).toThrow(expect.objectContaining({ code: 'invalid_request', param }));
  });

  it.each([[1], [{}], [{ text: 'a' }]])('stops early in a huge array of parts such as %j', (part) => {
    const { list, reads } = countedReads(part, 1_000_000);
    expect(() => one({ content: { parts: list } })).toThrow(expect.objectContaining({ code: 'invalid_request' }));
    expect(reads()).toBeLessThan(20);
  });

  it('rejects parts that are not text by their name', () => {
    const parts = [{ text: 'a' }, { inlineData: { mimeType: 'image/png', data: '' } }];
    expect(() => one({ content: { parts } })).toThrow(
      expect.objectContaining({ code: 'unsupported_parameter', param: 'content[parts][1][inlineData]' }),
    );
  });
});

describe('batchEmbedContents', () => {
  it('reads requests that differ in content and title', () => {
    const shared = { model: 'models/p', taskType: 'RETRIEVAL_DOCUMENT', outputDimensionality: 8, novel: { x: 1 } };
    const decoded = decodeBatch(
      { ...shared, content, title: 't' },
      { ...shared, model: 'p', content: { parts: [{ text: 'b' }] } },
    );
    expect(decoded).toEqual({
      model: 'p',
      params: {
        inputs: ['a', 'b'],
        dimensions: 8,
        task: 'RETRIEVAL_DOCUMENT',
        titles: ['t', undefined],
        prefersBase64: false,
        foreign: google({ novel: { x: 1 } }),
      },
    });
    expect(decodeBatch({ content, task_type: 'A' }, { content, taskType: 'A' }).params.task).toBe('A');
  });

  it("rejects a model that is not the path's, unless it is ignored", () => {
    expect(() => decodeBatch({ content, model: 'models/other' })).toThrow(
      expect.objectContaining({ code: 'invalid_request', param: 'requests[0][model]' }),
    );
    const body = { requests: [{ content, model: 'models/other' }] };
    expect(decodeBatchEmbedContents({ body, model: 'p' }, 'any').model).toBe('p');
  });

  it.each([
    ['model', 'models/a', 'models/b'],
    ['taskType', 'A', 'B'],
    ['outputDimensionality', 1, 2],
    ['novel', { x: 1 }, { x: 2 }],
    ['novel', undefined, 2],
  ])('rejects requests that differ in %s', (field, left, right) => {
    expect(() =>
      decodeBatch({ content, [field]: left }, { content, [field]: left }, { content, [field]: right }),
    ).toThrow(expect.objectContaining({ code: 'invalid_request', param: `requests[2][${field}]` }));
  });

  it.each([
    [{}, 'requests'],
    [{ requests: {} }, 'requests'],
    [{ requests: [] }, 'requests'],
    [{ requests: ['a'] }, 'requests[0]'],
    [{ requests: [{ content }, {}] }, 'requests[1][content]'],
    [{ requests: [{ content }, { content: { parts: [] } }] }, 'requests[1][content][parts]'],
    [{ requests: [{ content, outputDimensionality: 0 }] }, 'requests[0][outputDimensionality]'],
    [{ requests: Array.from({ length: 2049 }, () => ({ content })) }, 'requests'],
  ])('rejects invalid input %# and names its field', (body, param) => {
    expect(() => decodeBatchEmbedContents({ body })).toThrow(
      expect.objectContaining({ code: 'invalid_request', param }),
    );
  });

  it('throws only gateway errors on any input', () => {
    fc.assert(
      fc.property(fc.anything(), (body) => {
        try {
          decodeBatchEmbedContents({ body: { requests: [body, { content: body }] } });
          decodeBatchEmbedContents({ body });
        } catch (error) {
          expect(error).toBeInstanceOf(GatewayError);
        }
      }),
    );
  });
});

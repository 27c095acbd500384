import fc from 'fast-check';
import { GatewayError } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { countedReads } from '../../test/counted-reads.ts';
import { decodeRerank } from './request.ts';

const good = { model: 'm', query: 'q', documents: ['a', { text: 'b' }] };

describe('rerank requests', () => {
  it('accept texts and objects', () => {
    expect(decodeRerank({ body: good })).toEqual({
      model: 'm',
      params: {
        query: 'q',
        documents: ['a', { text: 'b' }],
        returnDocuments: false,
        foreign: { protocol: 'cohere', fields: {} },
      },
    });
  });

  it("accept all other fields of Cohere's and Jina's clients", () => {
    const body = { ...good, top_n: 9, return_documents: true, rank_fields: ['title'], max_tokens_per_doc: 7 };
    expect(decodeRerank({ body }).params).toMatchObject({
      topN: 9,
      returnDocuments: true,
      rankFields: ['title'],
      foreign: { fields: { max_tokens_per_doc: 7 } },
    });
  });

  it('treat null and empty rank fields as absent', () => {
    const body = { ...good, top_n: null, return_documents: null, rank_fields: [] };
    expect(decodeRerank({ body })).toEqual(decodeRerank({ body: good }));
  });

  it.each([
    [undefined, 'query'],
    [[], undefined],
    [{ query: undefined }, 'query'],
    [{ query: '' }, 'query'],
    [{ query: 5 }, 'query'],
    [{ documents: undefined }, 'documents'],
    [{ documents: [] }, 'documents'],
    [{ documents: 'a' }, 'documents'],
    [{ documents: ['a', 5] }, 'documents[1]'],
    [{ documents: ['a', null] }, 'documents[1]'],
    [{ documents: [{}] }, 'documents[0]'],
    [{ documents: [['a']] }, 'documents[0]'],
    [{ top_n: 0 }, 'top_n'],
    [{ top_n: 1.5 }, 'top_n'],
    [{ top_n: '1' }, 'top_n'],
    [{ return_documents: 'yes' }, 'return_documents'],
    [{ rank_fields: 'title' }, 'rank_fields'],
    [{ rank_fields: [1] }, 'rank_fields[0]'],
    [{ model: '' }, 'model'],
    [{ model: 1 }, 'model'],
  ])('rejects %j', (more, param) => {
    const body = more === undefined || Array.isArray(more) ? more : { ...good, ...more };
    expect(() => decodeRerank({ body })).toThrow(expect.objectContaining({ code: 'invalid_request', param }));
  });

  it.each([
    ['documents', 1],
    ['documents', {}],
    ['documents', 'a'],
    ['rank_fields', 1],
    ['rank_fields', ''],
    ['rank_fields', 'a'],
  ])('stops early in a huge array of %s such as %j', (field, item) => {
    const { list, reads } = countedReads(item, 1_000_000);
    const body = { ...good, [field]: list };
    expect(() => decodeRerank({ body })).toThrow(expect.objectContaining({ code: 'invalid_request', param: field }));
    expect(reads()).toBeLessThan(20);
  });

  it('throws only gateway errors on any input', () => {
    fc.assert(
      fc.property(fc.anything(), (body) => {
        try {
          decodeRerank({ body: { ...good, documents: [body] } });
          decodeRerank({ body });
        } catch (error) {
          expect(error).toBeInstanceOf(GatewayError);
        }
      }),
    );
  });
});

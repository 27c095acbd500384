import { describe, expect, it } from 'vitest';
import { imageEditsProtocol, imagesEndpoints, imagesProtocol } from './endpoints.ts';

describe('images endpoints', () => {
  it('are the documented ones', () => {
    expect(imagesEndpoints.map(({ method, path, action }) => `${method} ${path} ${action}`)).toEqual([
      'POST /v1/images/generations image.create',
      'POST /v1/images/edits image.create',
      'GET /v1/images/generations/:task_id image.retrieve',
      'GET /v1/images/generations/:task_id/content/:index image.content',
    ]);
  });

  it('decode edits differently from generations and encode everything else alike', () => {
    const [generations, edits, ...others] = imagesEndpoints;
    expect(generations.protocol).toBe(imagesProtocol);
    expect(edits.protocol).toBe(imageEditsProtocol);
    expect({ ...edits.protocol, decodeImage: null }).toEqual({ ...generations.protocol, decodeImage: null });
    expect(edits.protocol.decodeImage).not.toBe(generations.protocol.decodeImage);
    for (const { protocol } of others) expect(protocol).toBe(imagesProtocol);
  });

  it('accept JSON and forms with files', () => {
    const [generations, edits] = imagesEndpoints;
    for (const { body } of [generations, edits]) {
      expect(Object.keys(body.content)).toEqual(['application/json', 'multipart/form-data']);
      expect(body.fileFields).toEqual(['image', 'images', 'mask']);
    }
  });
});

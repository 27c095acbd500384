import { describe, expect, it } from 'vitest';
import { providerAEndpoints, providerAProtocols } from './endpoints.ts';

describe('provider-a endpoints', () => {
  it('are four under each prefix, each with its own operation id', () => {
    const actual = providerAEndpoints.map(({ method, path, operationId }) => `${method} ${path} ${operationId}`);
    expect(actual).toEqual([
      'POST /provider-a/v1/videos/text2video createText2Video',
      'GET /provider-a/v1/videos/text2video/:task_id retrieveText2Video',
      'POST /provider-a/v1/videos/image2video createImage2Video',
      'GET /provider-a/v1/videos/image2video/:task_id retrieveImage2Video',
      'POST /kling/v1/videos/text2video createKlingText2Video',
      'GET /kling/v1/videos/text2video/:task_id retrieveKlingText2Video',
      'POST /kling/v1/videos/image2video createKlingImage2Video',
      'GET /kling/v1/videos/image2video/:task_id retrieveKlingImage2Video',
    ]);
  });

  it('decode according to their path', () => {
    for (const { path, protocol, action, method } of providerAEndpoints) {
      const way = path.includes('/text2video') ? 'text2video' : 'image2video';
      expect(protocol).toBe(providerAProtocols[way]);
      expect(action).toBe(method === 'POST' ? 'video.create' : 'video.retrieve');
    }
    expect(providerAProtocols.text2video.decodeVideo).not.toBe(providerAProtocols.image2video.decodeVideo);
  });

  it('name the model field as Kling does', () => {
    for (const { fieldNames } of Object.values(providerAProtocols)) expect(fieldNames.model).toBe('model_name');
  });

  it("find a task by the client's own name too", () => {
    for (const protocol of Object.values(providerAProtocols)) expect(protocol.acceptsExternalIds).toBe(true);
  });
});

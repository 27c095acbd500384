import { describe, expect, it } from 'vitest';
import { capabilitiesOfModel, routeCapabilities } from './model-capabilities.ts';
import { ConfigSchema } from '../schema/schema.ts';

const account = (kind: string) => ({ kind, base_url: 'http://a' });
const config = ConfigSchema.parse({
  upstreams: {
    video: account('veo'),
    both: account('fal'),
    chat: account('chat-completions'),
    google: account('messages'),
  },
  models: [
    { id: 'mixed', routes: ['video', 'both', 'gone'].map((upstream) => ({ upstream, model: 'x' })) },
    { id: 'image', routes: [{ upstream: 'chat', model: 'x' }] },
    { id: 'text', routes: [{ upstream: 'google', model: 'x' }] },
    { id: 'declared', routes: [{ upstream: 'chat', model: 'x' }], capabilities: ['realtime', 'text', 'video'] },
  ],
  defaults: { image_model: 'image' },
});
const [mixed, image, text, declared] = config.models;

describe('routeCapabilities', () => {
  it("returns the capabilities of each route's kind, and none for an unknown upstream", () => {
    expect(mixed && routeCapabilities(config, mixed)).toEqual([['video'], ['video', 'image'], []]);
  });
});

describe('capabilitiesOfModel', () => {
  it('returns the capabilities of all routes, each once', () => {
    expect(mixed && capabilitiesOfModel(config, mixed)).toEqual(['video', 'image']);
    expect(text && capabilitiesOfModel(config, text)).toEqual(['text']);
  });

  it('limits declared capabilities to those of the routes', () => {
    expect(declared && capabilitiesOfModel(config, declared)).toEqual(['text', 'realtime']);
  });

  it('gives a default model the capability that it is the default for', () => {
    expect(image && capabilitiesOfModel(config, image)).toEqual(['image']);
  });
});

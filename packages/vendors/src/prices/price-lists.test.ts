import { describe, expect, it } from 'vitest';
import { kindTables } from '../kind-tables.ts';
import { MANIFESTS, type UpstreamKindName } from '../manifests.ts';
import { findModel } from '../schema/models.ts';
import type { PriceList } from '../schema/price-list.ts';

const KINDS = kindTables<UpstreamKindName>(MANIFESTS);
const LISTS = KINDS.kinds.flatMap((kind) => KINDS.pricesOf(kind).map((list): [string, PriceList] => [kind, list]));

describe('the price lists of vendors', () => {
  it.each(LISTS)('of %s name the page and the date for %o', (kind, list) => {
    expect(list.url).toMatch(/^https:\/\//);
    expect(new Date(list.date).toISOString().slice(0, 10)).toBe(list.date);
    const upstreams = KINDS.vendors.flatMap((vendor) => Object.values(vendor.upstreams));
    const known = upstreams
      .filter((upstream) => upstream.kind === kind)
      .map(({ base_url }) => URL.parse(base_url)?.host);
    expect(known).toEqual(expect.arrayContaining([...list.hosts]));
  });

  it.each(LISTS)('of %s have prices above zero, except free models: %o', (_kind, { models }) => {
    for (const [name, { images = [], video = [], request = 0, characters = 0, tokens }] of models) {
      const usd = [...images, ...video].map((rate) => rate.usd);
      expect(usd.filter((one) => !(one > 0 && one < 10))).toEqual([]);
      const isFree = String(name).includes('moderation');
      expect(usd.length > 0 || request > 0 || characters > 0 || (isFree && tokens !== undefined)).toBe(true);
    }
  });

  it.each<[UpstreamKindName, string, number | undefined]>([
    ['veo', 'veo-3.1-generate-preview', 0.6],
    ['veo', 'veo-3.1-fast-generate-preview', 0.3],
    ['veo', 'models/veo-3.1-lite-generate-preview', 0.08],
    ['veo', 'veo-2.0-generate-001', undefined],
    ['runway', 'gen4.5', 0.12],
    ['runway', 'seedance2', 1.5],
    ['runway', 'seedance2_5', undefined],
    ['dashscope', 'wan3.0-video', 0.165025],
    ['dashscope', 'wan3.0-video-prime', 0.254399],
    ['minimax', 'MiniMax-H3-Max', 0.08],
    ['fal', 'pixverse/v6/text-to-video', 0.115],
    ['replicate', 'black-forest-labs/flux-dev', 0.025],
    ['replicate', 'black-forest-labs/flux-2-pro', undefined],
    ['chat-completions', 'gpt-image-1-mini', 0.015],
    ['bedrock', 'us.amazon.nova-canvas-v1:0', 0.08],
    ['bedrock', 'amazon.nova-reel-v1:1', 0.08],
    ['bedrock', 'amazon.titan-image-generator-v2:0', undefined],
    ['chat-completions', 'gpt-image-2', undefined],
  ])('of %s have %s at up to %d dollars', (kind, model, usd) => {
    const rates = KINDS.pricesOf(kind).flatMap(({ models }) => findModel(models, model) ?? []);
    const highest = Math.max(
      ...rates.flatMap(({ images = [], video = [] }) => [...images, ...video]).map((rate) => rate.usd),
    );
    expect(rates.length > 0 ? highest : undefined).toBe(usd);
    expect(rates.length).toBeLessThanOrEqual(1);
  });
});
